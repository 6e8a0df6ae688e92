#!/usr/bin/env python3
"""Opens a page of --report=FILE.html in a headless Chromium and uses it as a reader would.

    page_browser.py CHECK PAGE [ARGUMENT]...

CHECK is one of: use (clicks and keys), plain (without scripts), long (thousands of chunks,
with scripts and without), hostile (nothing of the texts runs), widths (no overflow at any
width, light and dark), time (until it is laid out), picture OUT WIDTH HEIGHT.  CHROMIUM names the program.  It is driven over a pipe by the
DevTools protocol: messages of JSON, each ended by a NUL.  In all checks no request may
leave but that for the page.
"""

import base64
import fcntl
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 60


def check(holds, what):
    if not holds:
        sys.exit(f"page_browser.py: {what}")


def same(what, is_there, expected):
    check(is_there == expected, f"{what}: {is_there!r}, expected {expected!r}")


class Browser:
    """A Chromium with one page open."""

    def __init__(self):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium")
        check(program, "no chromium")
        self.profile = tempfile.mkdtemp(prefix="page-browser-")
        ours, theirs = self.pipe(), self.pipe()
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
             f"--user-data-dir={self.profile}", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(3, 4), preexec_fn=lambda: (os.dup2(theirs[0], 3), os.dup2(ours[1], 4)))
        os.close(theirs[0])
        os.close(ours[1])
        self.read_fd, self.write_fd = ours[0], theirs[1]
        self.buffered, self.next_id, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    @staticmethod
    def pipe():
        """Both ends above 9, out of the way of those that the browser is given."""
        ends = os.pipe()
        moved = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
        for end in ends:
            os.close(end)
        return moved

    def receive(self, until):
        while b"\0" not in self.buffered:
            ready, _, _ = select.select([self.read_fd], [], [], max(0, until - time.monotonic()))
            check(ready, "the browser does not answer")
            block = os.read(self.read_fd, 1 << 20)
            check(block, "the browser has ended")
            self.buffered += block
        message, _, self.buffered = self.buffered.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_fd, data):]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.next_id:
                check("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        until = time.monotonic() + PATIENCE
        while True:
            for place, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(place)
            self.events.append(self.receive(until))

    def open(self, path, fragment=""):
        self.url = Path(path).resolve().as_uri()
        self.call("Page.navigate", url=self.url + fragment)
        self.wait_for("Page.loadEventFired")

    def reopen(self, path):
        """Opens the page anew, without what its address had at the end."""
        self.call("Page.navigate", url="about:blank")
        self.wait_for("Page.loadEventFired")
        self.open(path)

    def value(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        check("exceptionDetails" not in answer, f"{script}: {answer.get('exceptionDetails')}")
        return answer["result"].get("value")

    def key(self, key, code=0, text=None):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    def click(self, selector):
        """A click of the mouse in the middle of the element."""
        box = self.value("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'});"
                         " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
                         % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def busy(self):
        """Seconds of processor time that the page's main thread has spent."""
        figures = self.call("Performance.getMetrics")["metrics"]
        return next(figure["value"] for figure in figures if figure["name"] == "TaskDuration")

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        """Ends the browser after a look at what it has asked for and complained of."""
        self.value("1")
        asked = [event["params"]["request"]["url"] for event in self.events
                 if event.get("method") == "Network.requestWillBeSent"]
        same("requests", set(asked), {self.url})
        wrong = [event["params"] for event in self.events
                 if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded")]
        same("complaints", wrong, [])

    def end(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


OPEN = "Array.from(document.querySelectorAll('.kept details.chunk[open] .n'), e => e.lastChild.textContent).join()"
SEEN = "Array.from(document.querySelectorAll('%s')).filter(e => e.checkVisibility()).length"
ALL_IN = "new Promise(done => { const look = () => document.querySelector('noscript') ? setTimeout(look, 5) : done(); look(); })"
FOCUS = "(document.activeElement.getAttribute('aria-label') || document.activeElement.textContent).slice(0, 12)"
ENTER = ("Enter", 13, "\r")


def check_use(browser, page):
    """Clicks and keys, on a page with three kept chunks or more and a near-duplicate."""
    browser.open(page)
    count = browser.value("document.querySelectorAll('.strip a').length")
    check(count > 3, f"{count} cells")
    same("at first", browser.value(OPEN), "")
    browser.click(".strip a:nth-child(2)")
    same("after a click", browser.value(OPEN), "2")
    same("focus", browser.value("document.activeElement.tagName"), "SUMMARY")
    check(browser.value("document.querySelectorAll('.strip a')[1].ariaCurrent") == "true", "the cell is not marked")
    browser.key("Escape", 27)
    same("after Escape", browser.value(OPEN), "")
    check(browser.value(FOCUS).startswith("2: "), "Escape does not lead back to the cell")
    browser.key("ArrowRight", 39)
    check(browser.value(FOCUS).startswith("3: "), "right")
    browser.key("ArrowLeft", 37)
    browser.key("ArrowLeft", 37)
    browser.key("ArrowLeft", 37)
    check(browser.value(FOCUS).startswith("1: "), "left, not beyond the first")
    browser.key("End", 35)
    check(browser.value(FOCUS).startswith("Question"), "the last is the question")
    browser.key("Home", 36)
    browser.key(*ENTER)
    same("after Enter", browser.value(OPEN), "1")
    same("what is seen", browser.value("document.querySelector('details[open] .text').checkVisibility()"), True)
    browser.key("Escape", 27)
    check(browser.value(FOCUS).startswith("1: "), "the first")
    # One stop for the strip, then the buttons, then each chunk.
    stops = []
    for _ in range(4):
        browser.key("Tab", 9)
        stops.append(browser.value("document.activeElement.tagName"))
    same("stops of Tab", stops, ["BUTTON", "BUTTON", "SUMMARY", "SUMMARY"])
    browser.key(*ENTER)
    same("the summary's own Enter", browser.value(OPEN), "2")
    browser.click(".tools button:nth-child(2)")
    same("all closed", browser.value(OPEN), "")
    browser.click(".tools button")
    same("all open", len(browser.value(OPEN).split(",")), count - 1)
    # From a near-duplicate to what it lost to.
    browser.click(".tools button:nth-child(2)")
    browser.click(".dropped .chunk:has(.pair) > summary")
    browser.click(".dropped .chunk[open] dd a")
    check(browser.value(OPEN) != "", "what it lost to is not opened")
    same("ids said twice", browser.value("document.querySelectorAll('[id]').length"),
         browser.value("new Set(Array.from(document.querySelectorAll('[id]'), e => e.id)).size"))
    names = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = [(node.get("role", {}).get("value"), node.get("name", {}).get("value")) for node in names
             if not node.get("ignored")]
    check(("navigation", "The context, in the order of the output") in roles, "the strip has no name")
    for title in ("Context", "Totals"):
        check(("region", title) in roles, f"the section {title} has no name")
    unnamed = [role for role, name in roles if role in ("link", "button", "region", "image") and not name]
    same("without a name", unnamed, [])
    browser.close()


def check_plain(browser, page):
    """The same page where scripts are off: all text is there, and links open what they lead to."""
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    browser.click(".strip a:nth-child(2)")
    time.sleep(0.3)
    same("after a click", browser.value(OPEN), "2")
    same("buttons", browser.value("document.querySelectorAll('button').length"), 0)
    browser.close()


def check_long(browser, page):
    """Of some hundred chunks all are there, with scripts soon and without at once."""
    source = Path(page).read_text(encoding="utf-8", errors="replace")
    kept = re.findall(r'<div class="open" id="(c\d+)"', source[:source.index('<section class="dropped"')])
    count = source.count('<details class="chunk">')
    chunks = "document.querySelectorAll('details.chunk').length"
    browser.open(page, "#" + kept[-1])
    same("a link from without", browser.value(OPEN), str(len(kept)))
    browser.value(ALL_IN)
    same("chunks", browser.value(chunks), count)
    same("what is still said to come", browser.value("document.querySelectorAll('.rest').length"), 0)
    same("the order", browser.value("Array.from(document.querySelectorAll('.kept .open'), e => e.id)"), kept)
    browser.click(".tools button")
    same("all open", len(browser.value(OPEN).split(",")), len(kept))
    browser.reopen(page)
    browser.click(f".strip a[href='#{kept[-2]}']")
    same("after a click", browser.value(OPEN), str(len(kept) - 1))
    browser.reopen(page)
    browser.value("dispatchEvent(new Event('beforeprint'))")
    same("printed chunks", browser.value(chunks), count)
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.reopen(page)
    same("chunks without scripts", browser.value(chunks), count)
    same("those that are seen", browser.value(SEEN % ".kept summary"), len(kept))
    same("what only a script does", browser.value(SEEN % ".rest"), 0)
    browser.click(f".strip a[href='#{kept[-2]}']")
    time.sleep(0.3)
    same("after a click without scripts", browser.value(OPEN), str(len(kept) - 1))
    browser.close()


def check_hostile(browser, page):
    """Each hostile text would set window.hit to its number."""
    browser.open(page)
    browser.value(ALL_IN)
    browser.value("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    time.sleep(0.5)
    same("what has run", browser.value("window.hit"), None)
    same("elements of the texts", browser.value("document.querySelectorAll('.text *:not(b.u), img, svg, iframe, "
                                                "plaintext, base, link, textarea').length"), 0)
    same("scripts", browser.value("document.scripts.length"), 1)
    # Were a text to become markup after all, the policy would still stop it.
    browser.value("""(() => { const s = document.createElement('script'); s.textContent = 'window.hit = 99';
        document.body.append(s); const i = document.createElement('img'); i.src = 'https://example.org/x';
        i.setAttribute('onerror', 'window.hit = 98'); document.body.append(i);
        return new Promise(done => setTimeout(done, 300)); })()""")
    same("what the policy let run", browser.value("window.hit"), None)
    asked = [event["params"]["request"]["url"] for event in browser.events
             if event.get("method") == "Network.requestWillBeSent"]
    failed = [event["params"]["requestId"] for event in browser.events if event.get("method") == "Network.loadingFailed"
              and event["params"].get("blockedReason") == "csp"]
    check(len(asked) - len(failed) <= 1, f"asked for {asked}")


def check_widths(browser, page):
    """Nothing is wider than the window, and words can be read (WCAG 2.2, 1.4.3) in both schemes."""
    for scheme in ("light", "dark"):
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        for width in (400, 800, 1600):
            browser.resize(width)
            browser.open(page)
            browser.value("document.querySelectorAll('details').forEach(e => { e.open = true; })")
            same(f"width at {width}", browser.value("document.documentElement.scrollWidth"), width)
            wide = browser.value("""(() => {
                const clipped = e => e && (getComputedStyle(e).overflowX === 'hidden' || clipped(e.parentElement));
                return Array.from(document.querySelectorAll('body *')).filter(e => !e.closest('.vh') &&
                    e.getBoundingClientRect().right > innerWidth + 0.5 && !clipped(e.parentElement))
                    .map(e => e.outerHTML.slice(0, 80)); })()""")
            same(f"wider than {width}", wide, [])
        browser.value("document.querySelectorAll('details.chunk').forEach(e => { e.open = false; })")
        for width in (400, 800, 1600):
            browser.resize(width)
            same(f"ids without room at {width}", browser.value(
                "Array.from(document.querySelectorAll('.id')).filter(e => e.textContent.length > 7 && e.clientWidth < 60)"
                ".map(e => e.textContent)"), [])
        browser.value("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        contrast(browser, scheme)
        paper = browser.value("getComputedStyle(document.body).backgroundColor")
        dark = sum(int(part) for part in paper.strip("rgb()").split(",")) < 3 * 128
        same(f"a dark page in {scheme}", dark, scheme == "dark")
    browser.close()


def contrast(browser, scheme):
    """Each element's own words against the nearest colour behind them."""
    pale = browser.value("""(() => {
        const parts = c => c.match(/[0-9.]+/g).map(Number);
        const linear = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        const light = c => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
        const behind = e => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
            if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
        const pale = {};
        for (const e of document.querySelectorAll('body *')) {
            if (!Array.from(e.childNodes).some(n => n.nodeType === 3 && n.data.trim()) || e.closest('script, .vh')) continue;
            const a = light(parts(getComputedStyle(e).color)), b = light(behind(e));
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < 4.5) pale[e.tagName + '.' + (e.className || e.parentElement.className)] = ratio;
        }
        return pale; })()""")
    same(f"too pale in {scheme}", pale, {})


def check_time(browser, page):
    """From asking for the page until it is laid out and drawn."""
    browser.resize(1200)
    warm = Path(browser.profile, "warm.html")
    warm.write_text("<!DOCTYPE html><title>one</title><p>one", encoding="utf-8")
    browser.open(warm)
    browser.events.clear()
    browser.call("Performance.enable", timeDomain="threadTicks")
    start = time.monotonic()
    browser.open(page)
    browser.value("document.body.offsetHeight && new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    took, of_processor = time.monotonic() - start, browser.busy()
    browser.value(ALL_IN)
    whole, of_processor_whole = time.monotonic() - start, browser.busy()
    chunks = browser.value("document.querySelectorAll('.chunk').length")
    print(f"{chunks} chunks, {os.path.getsize(page)} bytes: open after {took:.2f} s, {of_processor:.2f} s of "
          f"processor; all taken in after {whole:.2f} s, {of_processor_whole:.2f} s")
    start = time.monotonic()
    browser.click(".strip a")
    same("the first", browser.value(OPEN), "1")
    print(f"a click took {time.monotonic() - start:.2f} s")
    check(took < 20, "that is far too long")
    browser.close()


def picture(browser, page, out, width, height, scheme="light", opened=""):
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.resize(int(width), int(height))
    browser.open(page)
    if opened:
        browser.value(f"document.querySelectorAll({json.dumps(opened)}).forEach(e => {{ e.open = true; }})")
        browser.value("new Promise(done => setTimeout(done, 300))")
    shot = browser.call("Page.captureScreenshot", format="png")
    Path(out).write_bytes(base64.b64decode(shot["data"]))


def main():
    checks = {"use": check_use, "plain": check_plain, "long": check_long, "hostile": check_hostile, "widths": check_widths,
              "time": check_time, "picture": picture}
    browser = Browser()
    try:
        checks[sys.argv[1]](browser, *sys.argv[2:])
    finally:
        browser.end()


if __name__ == "__main__":
    main()
