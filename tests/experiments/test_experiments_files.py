"""Files of data sets: taken from a folder or fetched into the cache, and refused unless their content is right.

No test needs the data or a network: what is fetched comes from a server of this machine.
"""

import base64
import gzip
import hashlib
import io
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tqdm import tqdm as Bar

from mcbook.experiments import DATASETS, DataError, Dataset, Source, data, load
from mcbook.experiments.unpacking import UnpackingError, unpacked

CONTENT = b"".join(b"%d,%d\n" % (n, n * n) for n in range(3_000))


def source_of(content, url="https://example.org/some/tiny.data", path="some/tiny.data", canonical=None):
    kept = canonical(content) if canonical else content
    return Source(path, hashlib.sha256(kept).hexdigest(), len(kept), url, canonical)


def with_files(monkeypatch, *sources):
    monkeypatch.setitem(DATASETS, "tiny", Dataset("tiny", "numbers", "nobody", sources, lambda *contents: contents))


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """Where the folder should have the only file of the data set "tiny"."""
    with_files(monkeypatch, source_of(CONTENT))
    monkeypatch.setenv(data.FOLDER, str(tmp_path))
    (tmp_path / "some").mkdir()
    return tmp_path / "some" / "tiny.data"


# What the old program "compress" makes of these numbers: it emptied its table once, after numbers of 10 bits had begun.
SQUARES = b"".join(b"%d," % (n * n) for n in range(150))
PACKED = base64.b64decode(
    "H52KMFjEYEGDRQ6BNljIqMFiRkIaB20UxDEwBoyAMWRUpFEwho2DMXIklLFQYY2ROA7OkFHQ4UAaFwnSeImjYA0ZB2vcSGijpI2dLG7gDFqT"
    "Rc2BOWKKrAiDpUAYKQXGOCmQJMOMIgU6BMmx482KNmJ6pChwZ8eaIHM4VNiUoUaPCmXAOChjBoyCLGEMXBhTRti9N+4qxDFXYQ64dkvOiLF2"
    "JcSGDlvSIOsw5gyhA2fUbCnyIMysNKwSnEGVY1QaPQvS2PkyacAadwfWiFG0xsqcqxOeLKkTaI0cQ8MWTT1QYkwbJ4sLLWgDR9TAVIWWvDEj"
    "642TB2/c4BgU+ECKMXHIIFtTolGJB52vTVrSe8Icnw2GLZiDMNOLGJvqfQqzI4ywIEEFVwwWlURgXQkRyBFIHplHoHMVaSRWXRpVVQN3Ge0E"
    "Ek5ZMSYaYzRQBRAAAAAAAAAxZtjAkYNFwBwyaBikEcNGjIU0YMBYaIPhQhw4FMaoEUNGwY0zbtgwWMOGjBokcYg06NAjyxkZWVZ82DCHRIM3"
    "GtK8QSMhzoEfb+QoaRCHjJNFaeQYGUOljY82aWjMMUMGzaU3Y+TA+FAGjIYKvUot6PWGQBZWYSC1OqMh2oYwyGqFEfboVxY="
)


def test_what_is_not_packed_as_its_name_says_is_refused():
    for content, name, match in (
        (CONTENT, "a.Z", "Not a compressed file"),
        (PACKED[:2], "a.Z", "Not a compressed file"),
        (b"\x1f\x9d\x90" + b"\xff" * 9, "a.Z", "stands for nothing"),
        (CONTENT, "a.gz", "Not a gzipped file"),
        (gzip.compress(CONTENT)[:-9], "a.gz", "ended before"),
    ):
        with pytest.raises(UnpackingError, match=match):
            unpacked(content, name)


@pytest.mark.parametrize(
    ("packing", "packed", "content"),
    [("", CONTENT, CONTENT), (".gz", gzip.compress(CONTENT), CONTENT), (".Z", PACKED, SQUARES)],
)
def test_files_are_taken_from_the_folder_packed_or_not(tiny, monkeypatch, packing, packed, content):
    with_files(monkeypatch, source_of(content))
    tiny.with_name(tiny.name + packing).write_bytes(packed)
    assert load("tiny") == (content,)


def test_a_file_that_is_missing_is_named(tiny):
    with pytest.raises(
        DataError, match=r"expected the file some/tiny.data in .* or the same with .gz or .Z, found none"
    ):
        load("tiny")


@pytest.mark.parametrize(
    ("wrong", "what"),
    [(CONTENT[:-9], "truncated"), (CONTENT.replace(b"1,1", b"1,2", 1), "altered"), (b"", "truncated")],
)
def test_a_file_that_is_truncated_or_altered_is_refused(tiny, wrong, what):
    tiny.write_bytes(wrong)
    wanted, found = (hashlib.sha256(content).hexdigest() for content in (CONTENT, wrong))
    message = (
        rf"tiny.data to hold {len(CONTENT)} bytes with the SHA-256 {wanted}, but it has {len(wrong)} bytes and the "
        rf"SHA-256 {found}: the file is {what}; delete it, and fetch it again from https://example.org"
    )
    with pytest.raises(DataError, match=message):
        load("tiny")


def test_a_file_of_which_the_values_count_may_be_laid_out_otherwise(tiny, monkeypatch):
    def canonical(content):
        return b" ".join(b"%d" % int(field) for field in content.replace(b"\n", b",").rstrip(b",").split(b","))

    with_files(monkeypatch, source_of(CONTENT, canonical=canonical))
    tiny.write_bytes(CONTENT.replace(b",", b",   "))
    assert load("tiny") == (canonical(CONTENT),)
    tiny.write_bytes(CONTENT.replace(b",4\n", b",5\n"))
    with pytest.raises(DataError, match=r"bytes of values with the SHA-256 .* the file is altered"):
        load("tiny")
    tiny.write_bytes(CONTENT.replace(b",4\n", b",x\n"))
    with pytest.raises(DataError, match=r"cannot be read \(invalid literal .* truncated or altered"):
        load("tiny")


class Served:
    """A server of this machine: what it has by path, what was asked of it, and how much of each file it sends."""

    def __init__(self):
        self.files, self.asked, self.send = {}, [], None

    @contextmanager
    def running(self):
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                served.asked.append(self.path)
                content = served.files.get(self.path)
                self.send_response(200 if content is not None else 404)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write((content or b"")[: served.send])

            def log_message(self, *arguments):
                """Tests are quiet."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.at = f"http://127.0.0.1:{server.server_port}"
            yield self
            server.shutdown()


@pytest.fixture
def served(monkeypatch, tmp_path):
    """A server with the two files of "tiny", and an empty cache."""
    monkeypatch.delenv(data.FOLDER, raising=False)
    monkeypatch.setattr("pooch.os_cache", lambda name: tmp_path / "cache" / name)
    for proxy in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(proxy, raising=False)
    with Served().running() as server:
        server.files = {"/one.gz": gzip.compress(CONTENT), "/two": CONTENT[::-1]}
        with_files(
            monkeypatch,
            source_of(CONTENT, f"{server.at}/one.gz", "some/one"),
            source_of(CONTENT[::-1], f"{server.at}/two", "some/two"),
        )
        server.cache = tmp_path / "cache" / "mcbook" / "some"
        yield server


def test_without_a_folder_files_are_fetched_once_under_one_bar(served, monkeypatch):
    bars, screen = [], io.StringIO()
    monkeypatch.setattr("tqdm.auto.tqdm", lambda **options: bars.append(Bar(file=screen, **options)) or bars[-1])
    for _ in range(2):
        assert load("tiny") == (CONTENT, CONTENT[::-1])
    assert served.asked == ["/one.gz", "/two"]
    assert sorted(path.name for path in served.cache.iterdir()) == ["one", "two"]
    assert [(bar.n, bar.total) for bar in bars] == [(2 * len(CONTENT), 2 * len(CONTENT))]
    assert "fetching tiny" in screen.getvalue()


def test_a_fetch_that_is_cut_short_leaves_nothing_and_is_done_again(served):
    served.send = 1000
    with pytest.raises(DataError, match=r"expected to fetch some/one from http.*/one.gz .* failed .*: go online, see"):
        load("tiny")
    assert list(served.cache.iterdir()) == []
    served.send = None
    assert load("tiny") == (CONTENT, CONTENT[::-1])


@pytest.mark.parametrize("wrong", [gzip.compress(b"Please log in"), b"Please log in"])
def test_wrong_content_does_not_come_into_the_cache(served, wrong):
    right, served.files["/one.gz"] = served.files["/one.gz"], wrong
    with pytest.raises(DataError, match=r"what came (has 13 bytes|does not unpack).*and was not kept; try again"):
        load("tiny")
    assert list(served.cache.iterdir()) == []
    served.files["/one.gz"] = right
    assert load("tiny") == (CONTENT, CONTENT[::-1])


def test_a_file_that_is_not_there_and_a_server_that_is_gone_are_said(served, monkeypatch):
    del served.files["/one.gz"]
    with pytest.raises(DataError, match=r"failed \(404 Client Error"):
        load("tiny")
    with_files(monkeypatch, source_of(CONTENT, "http://127.0.0.1:9/one"))
    with pytest.raises(DataError, match=r"failed \(.*: go online, see that you may write there, or put the file"):
        load("tiny")


def test_a_cache_that_cannot_be_written_is_said(served):
    served.cache.parent.parent.mkdir(parents=True)
    served.cache.parent.write_text("a file where the folder should be")
    with pytest.raises(DataError, match=r"into .*cache/mcbook/some, which failed .* see that you may write there"):
        load("tiny")
