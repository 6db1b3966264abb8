// The table: shows the parts that the server sends, and sends what is clicked. It knows no rule of any game.
"use strict";

const main = document.querySelector("main");
const at = location.pathname.replace(/\/?$/, "/"); // /t/TABLE/PLACE/
const parts = new Map(); // what the server has sent, by name
const colours = new CSSStyleSheet();
const drawn = new CSSStyleSheet(); // of the chart at the end
document.adoptedStyleSheets = [colours, drawn];
let shown = main.dataset.seat || "0"; // the seat whose table this window shows
let socket = null;
let looking = null; // the earlier moment that is shown; null: now
let tries = 0;
let heard = null; // the story, as it was told last
let answering = false; // the keyboard was at the question when it was answered
let pictured = false; // it was answered on a picture, and the next question has not come

// ------------------------------------------------------------------------------------------------ asking the server

function name() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) => one.toString(16).padStart(2, "0")).join("");
}

// A request keeps its name until it was answered: sent twice, it counts once.
async function send(what, content, named = true) {
  const body = JSON.stringify(named ? { request: name(), ...content } : content);
  for (let turn = 0; ; turn += 1) {
    try {
      const said = await fetch(at + what, { method: "POST", headers: { "content-type": "application/json" }, body });
      if (said.status === 503 && turn < 5) throw new Error("later");
      const told = await said.json().catch(() => ({}));
      if (!said.ok) tell(told.error || String(said.status));
      return said.ok ? told : null;
    } catch (fault) {
      if (!named || turn > 60) { tell(String(fault.message || fault)); return null; }
      await new Promise((done) => setTimeout(done, Math.min(4000, 250 * 2 ** turn)));
    }
  }
}

let untold = null;
function tell(words) {
  const said = document.getElementById("said");
  said.textContent = words;
  said.hidden = !words;
  clearTimeout(untold);
  if (words) untold = setTimeout(() => { said.hidden = true; }, 12000);
}

async function answer(key) {
  const asked = document.querySelector(".question");
  if (!asked || asked.dataset.sent) return; // clicked twice
  asked.dataset.sent = "yes";
  answering = asked.contains(document.activeElement) || document.getElementById("near").contains(document.activeElement);
  for (const one of document.querySelectorAll(".question button, #near button")) one.disabled = true;
  pictured = !document.getElementById("near").hidden;
  near(null);
  const said = await send("answer", { decision: asked.dataset.decision, answer: key });
  if (!said) {
    delete asked.dataset.sent;
    for (const one of asked.querySelectorAll("button")) one.disabled = false;
  }
}

// ------------------------------------------------------------------------------------------------ showing parts

const AROUND = ["turn", "ask", "vote", "tools", "end", "cover"]; // which is now, whatever moment is looked at

function show(found) {
  for (const [part, text] of Object.entries(found)) parts.set(part, text);
  if ("shown" in found) shown = found.shown;
  if ("tab" in found) tab(found.tab);
  const now = looking === null; // else the slider keeps its place
  if (now && "sheet" in found) colours.replaceSync(found.sheet);
  const wished = document.querySelector("#part-vote .asked");
  for (const [part, text] of Object.entries(found)) if (now || AROUND.includes(part)) put(part, text);
  if (wished && found.vote === "" && !("ask" in found)) tell(main.dataset.declined); // else it was taken back, and one is asked again
  if ("steps" in found || "tools" in found) moments();
  if (!now) return;
  able();
  if (pictured && "ask" in found) { pictured = false; seek(); }
  hear(found);
}

function tab(words) {
  document.title = words;
  document.querySelector("link[rel=icon]").href = words.startsWith("●") ? "/static/turn.svg" : "/static/icon.svg";
}

// What has happened and whose turn it is, once, for whoever does not see it.
let soon = null, unheard = [];
function hear(found) {
  if ("story" in found) {
    const now = told();
    if (heard !== null) {
      const first = Math.max(now.first, heard.first), at = (line) => heard.lines[line - heard.first];
      const since = now.lines.slice(first - now.first);
      let same = 0;
      while (same < since.length && since[same] === at(first + same)) same += 1;
      const begun = at(first + same);
      unheard.push(...since.slice(same).map((line, n) => (n === 0 && begun && line.startsWith(begun) ? line.slice(begun.length).replace(/^; /, "") : line)));
    }
    heard = now;
  }
  if (!("story" in found || "turn" in found || "vote" in found)) return;
  clearTimeout(soon);
  soon = setTimeout(() => {
    const vote = document.querySelector("#part-vote h2, #part-vote p"), prompt = document.querySelector(".question h2");
    const turn = document.getElementById("part-turn").textContent;
    const said = [...unheard.slice(-8), turn, prompt?.textContent, vote?.textContent].filter(Boolean).join(". ");
    unheard = [];
    const voice = document.getElementById("heard");
    if (voice && voice.textContent !== said) voice.textContent = said;
  }, 300);
}

// A part that is new keeps what was typed in it, what was open, and where the keyboard was; parts within it are filled, too.
function put(part, text, within = parts) {
  const place = document.getElementById("part-" + part);
  if (!place) return;
  const before = part === "story" ? told() : null;
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const mark = held && (held.id ? "#" + CSS.escape(held.id) : held.dataset.key ? `[data-key="${CSS.escape(held.dataset.key)}"]` : null);
  const open = Array.from(place.querySelectorAll("details[open][id]"), (one) => one.id);
  const typed = Array.from(place.querySelectorAll("input[id], select[id]")).filter((one) => part !== "ask" && changed(one)).map((one) => [one.id, one.value]);
  const linked = part === "tools" && document.getElementById("new-link");
  place.innerHTML = text;
  for (const one of place.querySelectorAll("[id^=part-]")) put(one.id.slice(5), within.get(one.id.slice(5)) || "", within);
  for (const id of open) { const one = document.getElementById(id); if (one) one.open = true; }
  for (const [id, value] of typed) { const one = document.getElementById(id); if (one) one.value = value; }
  if (linked && !linked.hidden) document.getElementById("new-link")?.replaceWith(linked);
  if (part === "ask") asked(place);
  if (part === "end") scores(place);
  if (part === "story") { if (reading) grow(before); if (!moved) newest(place); }
  const again = mark && place.querySelector(mark);
  if (again) again.focus({ preventScroll: true });
  else if (part === "ask" && (held || answering && document.activeElement === document.body)) {
    const first = place.querySelector(".choices button, .range input[type=number], .lot input");
    answering = !first;
    first?.focus({ preventScroll: true });
  }
}

function changed(one) {
  return one.tagName === "SELECT" ? one.selectedIndex > 0 : one.value !== one.defaultValue;
}

function asked(place) {
  tell("");
  Array.from(place.querySelectorAll(".choices button")).slice(0, 9).forEach((one, at) => {
    const sign = document.createElement("kbd");
    sign.textContent = String(at + 1);
    sign.setAttribute("aria-hidden", "true");
    one.append(sign);
    one.setAttribute("aria-keyshortcuts", String(at + 1));
  });
  for (const one of place.querySelectorAll(".range")) {
    const [slider, number] = one.querySelectorAll("input");
    slider.addEventListener("input", () => { number.value = slider.value; });
    number.addEventListener("input", () => { slider.value = number.value; });
    const go = () => answer(one.dataset.stem ? `${one.dataset.stem}/${Number(number.value)}` : String(Number(number.value)));
    one.querySelector("button").addEventListener("click", go);
    for (const field of [slider, number]) field.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
  }
  for (const one of place.querySelectorAll(".lot")) {
    one.querySelector("button").addEventListener("click", () => {
      const given = Array.from(one.querySelectorAll("input")).filter((field) => Number(field.value) > 0);
      answer(`${one.dataset.stem}/${given.map((field) => `${Number(field.value)} ${field.dataset.sort}`).join("+") || "none"}`);
    });
  }
  const find = place.querySelector(".find");
  if (find) find.addEventListener("input", () => {
    const words = find.value.toLowerCase();
    for (const one of place.querySelectorAll(".choices li")) one.hidden = !one.textContent.toLowerCase().includes(words);
  });
}

// ------------------------------------------------------------------------------------------------ the story

let rested = 0, moved = false; // where the story was left: whoever has moved it reads, and is left alone
const story = document.getElementById("part-story");
if (story) {
  story.addEventListener("scroll", () => { moved = Math.abs(story.scrollTop - Math.min(rested, story.scrollHeight - story.clientHeight)) >= 40; });
  new ResizeObserver(() => { if (!moved) newest(story); }).observe(story); // a longer question takes room from it
}

// What is new begins at the top; where nothing is, the end is shown.
function newest(place) {
  const fresh = place.querySelector(".fresh");
  place.scrollTop = fresh ? fresh.offsetTop - place.offsetTop : place.scrollHeight;
  rested = place.scrollTop;
}

// The lines that stand there, and the number of the first.
function told() {
  const list = document.querySelector("#part-story ol");
  return { first: list ? list.start : 1, lines: Array.from(list ? list.children : [], (one) => one.firstChild.textContent) };
}

let reading = false; // somebody has asked for earlier lines: what goes out of the last ones stays there

// Lines that stood there, or were asked for, in front of the first one: if they are of the same story.
function grow(earlier) {
  const list = document.querySelector("#part-story ol"), many = list ? list.start - earlier.first : 0;
  if (many <= 0) return;
  const next = earlier.lines[many], here = list.firstElementChild.firstChild.textContent;
  if (earlier.lines.length < many || next !== undefined && !here.startsWith(next)) return; // something was taken back
  list.prepend(...earlier.lines.slice(0, many).map((words) => Object.assign(document.createElement("li"), { textContent: words })));
  list.start = earlier.first;
  const more = document.querySelector("#part-story [data-earlier]");
  if (earlier.first > 1) more.textContent = main.dataset.before.replace("#", earlier.first - 1);
  else more?.remove();
}

async function earlier() {
  const list = document.querySelector("#part-story ol"), last = list.firstElementChild;
  const said = await fetch(`${at}story/${shown}/${list.start - 1}`);
  if (!said.ok) return;
  reading = true;
  grow(await said.json());
  last.scrollIntoView({ block: "nearest" });
}

// ------------------------------------------------------------------------------------------------ the end

// Row by row, as scores are read out; who wants no motion has all at once. How they went stands below, when they are known.
function scores(place) {
  const rows = Array.from(place.querySelectorAll("tr.score, tr.total"));
  if (!rows.length) return;
  const last = place.querySelector(".places"), steps = () => place.querySelectorAll("[data-next]");
  const done = () => {
    if (last) last.hidden = false;
    steps().forEach((one) => one.remove());
    course(place.querySelector(".went"));
  };
  if (rows.length < 3 || matchMedia("(prefers-reduced-motion: reduce)").matches) { done(); return; }
  rows.slice(1).forEach((row) => { row.hidden = true; });
  last.hidden = true;
  steps().forEach((button) => button.addEventListener("click", () => {
    const hidden = rows.filter((row) => row.hidden);
    (button.dataset.next === "all" ? hidden : hidden.slice(0, 1)).forEach((row) => { row.hidden = false; });
    if (rows.every((row) => !row.hidden)) { done(); place.querySelector("h2").tabIndex = -1; place.querySelector("h2").focus(); }
  }));
}

async function course(place) {
  const said = place && await fetch(at + "course");
  if (!said?.ok) return;
  const found = await said.json();
  drawn.replaceSync(found.sheet);
  place.querySelector(".course").innerHTML = found.chart;
  place.hidden = false;
}

// ------------------------------------------------------------------------------------------------ options on the picture

function things(thing) {
  return Array.from(document.querySelectorAll(`main [data-thing="${CSS.escape(thing)}"]`));
}

function options(thing) {
  return Array.from(document.querySelectorAll(".question [data-things]")).filter((one) => one.dataset.things.split("|").includes(thing));
}

function able() {
  for (const one of document.querySelectorAll("main .able")) one.classList.remove("able");
  for (const option of document.querySelectorAll(".question button[data-things]"))
    for (const thing of option.dataset.things.split("|")) for (const one of things(thing)) one.classList.add("able");
  for (const map of document.querySelectorAll("main .map")) bring(map);
}

const QUESTION = ".question:not([data-sent])";

function inView(what) {
  return Array.from(document.querySelectorAll(what), (one) => one.getBoundingClientRect())
    .some((one) => one.bottom > 0 && one.top < innerHeight && one.right > 0 && one.left < innerWidth);
}

// Who has scrolled down to the pictures is brought back to the question, where the next one is not answered there.
function seek() {
  if (!document.querySelector(QUESTION) || inView(`${QUESTION} h2`) || inView("main .able")) return;
  document.querySelector(".ask").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

// A map that is larger than its frame shows what can be chosen, if it shows nothing of that.
function bring(map) {
  const frame = map.getBoundingClientRect(), places = Array.from(map.querySelectorAll(".able"), (one) => one.getBoundingClientRect());
  if (!places.length || places.some((one) => one.left >= frame.left && one.right <= frame.right)) return;
  const middle = places.map((one) => (one.left + one.right) / 2).sort((a, b) => a - b)[places.length >> 1];
  map.scrollLeft += middle - (frame.left + frame.right) / 2;
}

function hot(option, on) {
  for (const thing of (option?.dataset?.things || "").split("|").filter(Boolean))
    for (const one of things(thing)) one.classList.toggle("hot", on);
}

// What a finger means that has hit nothing: the nearest thing of a picture with which something can be done.
const FINGER = 24; // pixels
function meant(event) {
  const picture = event.target.closest?.("main svg");
  const far = (one) => { const at = one.getBoundingClientRect(); return Math.hypot((at.left + at.right) / 2 - event.clientX, (at.top + at.bottom) / 2 - event.clientY); };
  return Array.from(picture?.querySelectorAll(".able") || []).filter((one) => far(one) <= FINGER).sort((a, b) => far(a) - far(b))[0];
}

// What one can do with a thing, beside it.
function near(place, event) {
  const box = document.getElementById("near");
  if (!box) return;
  box.hidden = true;
  box.textContent = "";
  if (!place) return;
  const found = options(place.dataset.thing);
  if (!found.length) return;
  for (const one of found) {
    if (one.dataset.key) {
      const copy = document.createElement("button");
      copy.type = "button";
      copy.dataset.key = one.dataset.key;
      copy.append(...Array.from(one.childNodes).filter((part) => part.tagName !== "KBD").map((part) => part.cloneNode(true)));
      box.append(copy);
    } else {
      const why = document.createElement("p");
      why.className = "soft small";
      why.textContent = one.textContent;
      box.append(why);
    }
  }
  box.hidden = false;
  const wide = document.documentElement.clientWidth;
  box.style.left = `${Math.max(8, Math.min(event.pageX - 30, wide - box.offsetWidth - 8))}px`;
  box.style.top = `${event.pageY + 14}px`;
  box.querySelector("button")?.focus({ preventScroll: true });
}

// ------------------------------------------------------------------------------------------------ links

function link(made, place) {
  const told = document.getElementById("new-link"), code = document.createElement("code"), button = document.createElement("button");
  code.textContent = new URL(`/t/${made.table}/${place}/#${made.places[place]}`, location.href).href;
  button.type = "button";
  button.textContent = main.dataset.copy;
  button.dataset.copies = "yes";
  told.replaceChildren(main.dataset.told, " ", code, " ", button);
  told.hidden = false;
}

async function copy(button) {
  const code = button.parentElement.querySelector("code");
  try { await navigator.clipboard.writeText(code.textContent); } catch { getSelection().selectAllChildren(code); return; }
  button.textContent = main.dataset.copied;
}

// ------------------------------------------------------------------------------------------------ looking back

// How many moments there are; whoever looks at an earlier one goes on looking at it.
function moments() {
  const slider = document.getElementById("moment"), steps = Number(parts.get("steps"));
  if (!slider) return;
  slider.max = steps;
  slider.value = looking ?? steps;
  document.getElementById("moment-told").textContent = main.dataset.moment.replace("#", slider.value).replace("%", steps);
}

async function moment(step, steps) {
  const now = step >= steps;
  looking = now ? null : step;
  document.getElementById("part-scene").classList.toggle("past", !now);
  const told = document.getElementById("moment-told");
  if (told) told.textContent = main.dataset.moment.replace("#", step).replace("%", steps);
  if (now) {
    show(Object.fromEntries(parts));
    return;
  }
  const said = await fetch(`${at}past/${shown}/${step}`);
  if (!said.ok || looking !== step) return;
  const found = await said.json();
  colours.replaceSync(found.sheet);
  const then = new Map(Object.entries(found));
  for (const part of ["scene", "own", "story"]) put(part, found[part], then);
}

// ------------------------------------------------------------------------------------------------ what is clicked and typed

document.addEventListener("click", async (event) => {
  if (event.target.closest("#part-turn")) { document.querySelector(".ask").scrollIntoView(); return; }
  const one = event.target.closest("[data-key], [data-undo], [data-vote], [data-bot], [data-now], [data-fork], [data-show], [data-step], [data-name], [data-link], [data-copies], [data-earlier], main [data-thing]") || meant(event);
  if (!event.target.closest("#near") && !one?.dataset.thing) near(null);
  if (!one || one.disabled) return;
  const set = one.dataset;
  if (set.key !== undefined) answer(set.key);
  else if (set.undo) send("undo", { ask: set.undo === "ask" });
  else if (set.vote) send("vote", { agrees: set.vote === "yes" });
  else if (set.bot) send("bot", { seat: Number(set.bot), ...(set.policy ? { policy: document.getElementById(`bot-of-${set.bot}`)?.value || set.policy } : {}) });
  else if (set.name) { const field = document.getElementById(`name-${set.name}`); if (await send("name", { seat: Number(set.name), name: field.value })) field.defaultValue = field.value; }
  else if (set.link) { const made = await send("link", { place: set.link }, false); if (made) link(made, set.link); }
  else if (set.copies) copy(one);
  else if (set.earlier) earlier();
  else if (set.step) { const slider = document.getElementById("moment"); slider.value = Number(slider.value) + Number(set.step); moment(Number(slider.value), Number(slider.max)); }
  else if (set.now) { const slider = document.getElementById("moment"); slider.value = slider.max; moment(Number(slider.max), Number(slider.max)); }
  else if (set.fork) {
    const slider = document.getElementById("moment");
    const opened = await send("fork", { step: Number(slider.value) }, false);
    if (opened) { keep(opened); location.href = `/t/${opened.table}/${opened.host}/#${opened.places[opened.host]}`; }
  } else if (set.show) { shown = set.show; socket.onclose = null; socket.close(); open(); }
  else if (set.thing) near(one, event);
});

let slow = null;
document.addEventListener("input", (event) => {
  if (event.target.id !== "moment") return;
  const steps = Number(event.target.max), step = Number(event.target.value);
  document.getElementById("moment-told").textContent = main.dataset.moment.replace("#", step).replace("%", steps);
  clearTimeout(slow);
  slow = setTimeout(() => moment(step, steps), 120);
});

for (const [kind, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]])
  document.addEventListener(kind, (event) => hot(event.target.closest?.("[data-things]"), on));

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") near(null);
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(document.activeElement?.tagName || "")) return;
  if (/^[1-9]$/.test(event.key)) {
    const shownOnes = Array.from(document.querySelectorAll(".choices li:not([hidden]) button"));
    (shownOnes[Number(event.key) - 1] || document.querySelector(".question :is(.range, .lot) input[type=number]"))?.focus();
  }
});

// ------------------------------------------------------------------------------------------------ the socket

function open() {
  const where = new URL(`${at}socket`, location.href);
  where.protocol = where.protocol === "https:" ? "wss:" : "ws:";
  if (shown !== "0") where.searchParams.set("seat", shown);
  socket = new WebSocket(where);
  socket.onmessage = (event) => {
    tries = 0;
    document.getElementById("lost").hidden = true;
    show(JSON.parse(event.data));
  };
  socket.onclose = (event) => {
    if (event.code === 4401) { location.reload(); return; } // this place has a new link
    document.getElementById("lost").hidden = false;
    tries += 1;
    setTimeout(open, Math.min(5000, 200 * 2 ** Math.min(tries, 5)));
  };
}

function keep(opened) {
  const mine = JSON.parse(localStorage.getItem("tables") || "[]");
  mine.unshift({ table: opened.table, place: opened.host, title: opened.title, when: Date.now() });
  localStorage.setItem("tables", JSON.stringify(mine.slice(0, 30)));
}

async function sit() {
  const secret = location.hash.slice(1);
  if (!secret) return false;
  history.replaceState(null, "", location.pathname); // the secret stands in no history and in no picture of the screen
  const said = await fetch(at + "sit", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ secret }) });
  if (said.ok) { location.replace(at); return true; }
  return false;
}

if (main.dataset.sit) sit();
else sit().then((gone) => { if (!gone) open(); });
