/* What only makes the page easier to use: all of it can be read without. */
"use strict";
(function () {
  const strip = document.querySelector(".strip");
  const cells = strip ? Array.from(strip.querySelectorAll("a")) : [];
  const kept = document.querySelector(".kept");
  const byTarget = new Map();
  const rest = Array.from(document.querySelectorAll("noscript"));
  let current = null;
  let stop = cells[0];

  for (const cell of cells) {
    byTarget.set(cell.hash.slice(1), cell);
  }

  /* Takes in the next of the lists that are but text at first, so that the page opens soon. */
  function takeIn() {
    const next = rest.shift();
    next.previousElementSibling.remove();
    next.insertAdjacentHTML("afterend", next.textContent);
    next.remove();
  }

  function takeAllIn() {
    while (rest.length > 0) {
      takeIn();
    }
  }

  function find(id) {
    while (!document.getElementById(id) && rest.length > 0) {
      takeIn();
    }
    return document.getElementById(id);
  }

  function detailsOf(target) {
    return target ? target.closest("details.chunk") : null;
  }

  function select(cell) {
    if (current) {
      current.removeAttribute("aria-current");
    }
    current = cell;
    if (cell) {
      cell.setAttribute("aria-current", "true");
    }
  }

  /* One cell is in the order of the Tab key; the arrows go to the others. */
  function focusCell(cell) {
    stop.tabIndex = -1;
    stop = cell;
    cell.tabIndex = 0;
    cell.focus();
  }

  /* Opens the element that a link leads to, and all that it is in. */
  function show(id) {
    const target = find(id);
    if (!target) {
      return;
    }
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) {
      box.open = true;
    }
    select(byTarget.get(id) || null);
    const chunk = detailsOf(target);
    const seen = chunk ? chunk.querySelector("summary") : target;
    if (!chunk) {
      seen.tabIndex = -1;
    }
    seen.focus({ preventScroll: true });
    seen.scrollIntoView({ block: "nearest" });
    if (seen.getBoundingClientRect().bottom > window.innerHeight * 0.75) {
      seen.scrollIntoView({ block: "center" });
    }
  }

  document.addEventListener("click", function (event) {
    const link = event.target.closest("a[href^='#']");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      show(link.hash.slice(1));
    }
  });

  for (const cell of cells) {
    cell.tabIndex = cell === stop ? 0 : -1;
  }
  if (strip) {
    strip.addEventListener("keydown", function (event) {
      const place = cells.indexOf(event.target);
      const last = cells.length - 1;
      const next = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last }[event.key];
      if (place < 0 || next === undefined || event.altKey || event.ctrlKey || event.metaKey) {
        return;
      }
      event.preventDefault();
      focusCell(cells[Math.min(Math.max(next, 0), last)]);
    });
  }

  document.addEventListener("keydown", function (event) {
    const chunk = detailsOf(event.target);
    if (event.key !== "Escape" || !chunk || !chunk.open) {
      return;
    }
    event.preventDefault();
    chunk.open = false;
    const cell = byTarget.get(chunk.querySelector(".open").id);
    select(null);
    if (cell) {
      focusCell(cell);
    } else {
      chunk.querySelector("summary").focus();
    }
  });

  function addButton(box, words, open) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", function () {
      takeAllIn();
      for (const chunk of kept.querySelectorAll("details.chunk")) {
        chunk.open = open;
      }
      select(null);
    });
    box.append(button);
  }

  if (kept && kept.querySelector("details.chunk")) {
    const tools = document.createElement("div");
    tools.className = "tools";
    addButton(tools, "Open all", true);
    addButton(tools, "Close all", false);
    kept.querySelector("h2").after(tools);
  }

  window.addEventListener("hashchange", function () {
    show(location.hash.slice(1));
  });
  if (location.hash) {
    show(location.hash.slice(1));
  }

  /* What is searched for or printed is all of the page: the lists come without being asked for. */
  const soon = window.requestIdleCallback || window.setTimeout;
  function takeInSoon() {
    if (rest.length > 0) {
      takeIn();
      soon(takeInSoon);
    }
  }
  window.addEventListener("beforeprint", takeAllIn);
  soon(takeInSoon);
})();
