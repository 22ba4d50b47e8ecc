"""What holds for all tests: workers share the cores, so each computes with one thread. More of them only wait for each other."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # of OpenBLAS and of torch, which read it as they are imported
