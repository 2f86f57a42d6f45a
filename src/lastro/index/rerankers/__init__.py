"""The rerankers there are, one file each; the composition root picks one."""
