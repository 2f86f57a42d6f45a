"""A help desk of a few cards in four languages, and an engine that answers from it."""

from shelf import Card, Shelf

from lastro.answer.naive import Naive, Stamp
from lastro.answer.provider import Provider
from lastro.answer.providers.quote import Quote
from lastro.gate.policy import RetrievalPolicy
from lastro.model.answer import Policy

CARDS: tuple[Card, ...] = (
    (
        "en:keyboard",
        "Pair a Bluetooth keyboard",
        (
            "A Bluetooth keyboard has to be paired once before you can type on it.\n"
            "Open the Settings and choose Bluetooth.\n"
            "Hold the connect button of the keyboard for 5 seconds.\n"
            "Click the keyboard in the list of devices.\n"
            "Type the 6 digits that the screen shows.\n"
            "About batteries\n"
            "The keyboard works about 9 months on two AA batteries."
        ),
        "en",
    ),
    (
        "en:guest",
        "Guest Wi-Fi",
        (
            "Visitors use the network Guest with a code from the reception. "
            "A guest code is valid for 24 hours. It works on up to 3 devices."
        ),
        "en",
    ),
    (
        "en:event",
        "Event Wi-Fi",
        (
            "For meetings the reception prints an event code. "
            "An event code is valid for 5 days. It works on up to 250 devices."
        ),
        "en",
    ),
    (
        "en:vpn",
        "VPN",
        (
            "A VPN is a private tunnel through the internet. "
            "Staff reach the archive from home only over the VPN."
        ),
        "en",
    ),
    (
        "pt:teclado",
        "Conectar um teclado Bluetooth",
        (
            "Um teclado Bluetooth precisa ser pareado uma vez.\n"
            "Abra as Configurações e escolha Bluetooth.\n"
            "Segure o botão de conexão do teclado por 5 segundos.\n"
            "Clique no teclado na lista de dispositivos."
        ),
        "pt-BR",
    ),
    (
        "es:teclado",
        "Conectar un teclado Bluetooth",
        (
            "Un teclado Bluetooth debe emparejarse una vez.\n"
            "Abra la Configuración y elija Bluetooth.\n"
            "Mantenga pulsado el botón de conexión del teclado durante 5 segundos.\n"
            "Pulse el teclado en la lista de dispositivos."
        ),
        "es-419",
    ),
    (
        "ko:keyboard",
        "블루투스 키보드 연결하기",
        (
            "블루투스 키보드는 처음 한 번 연결해야 합니다.\n"
            "설정을 열고 블루투스를 선택합니다.\n"
            "키보드의 연결 단추를 5초 동안 누릅니다.\n"
            "장치 목록에서 키보드를 누릅니다."
        ),
        "ko",
    ),
)

SHELF = Shelf(CARDS)


def engine(
    provider: Provider | None = None,
    *,
    policy: Policy = Policy.ANCHORED,
    shelf: Shelf = SHELF,
    disambiguation: bool = False,
    min_score: float = 0.0,
    margin: float = 0.15,
) -> Naive:
    """Return an engine over the help desk, with a clock that stands still.

    A base of seven cards gives small scores, hence no threshold of its own.
    """
    return Naive(
        search=shelf.search,
        provider=provider or Quote(),
        retrieval=RetrievalPolicy(
            min_score=min_score,
            min_score_margin=margin,
            disambiguation_enabled=disambiguation,
        ),
        policy=policy,
        clock=lambda: 0.0,
        stamp=lambda: Stamp("turn-1", "2026-01-02T03:04:05+00:00"),
    )
