// Choosing a game, and setting up a table. What can be chosen stands in the page; here it is only put together.
"use strict";

const main = document.querySelector("main");
const form = document.getElementById("setup");

function tables() {
  try { return JSON.parse(localStorage.getItem("tables") || "[]"); } catch { return []; }
}

function mine() {
  const list = document.getElementById("mine");
  if (!list || !tables().length) return;
  for (const one of tables()) {
    const line = document.createElement("li");
    const link = document.createElement("a");
    link.href = `/t/${encodeURIComponent(one.table)}/${encodeURIComponent(one.place)}/`;
    link.textContent = one.title;
    line.append(link, ` · ${new Date(one.when).toLocaleString(document.documentElement.lang)}`);
    list.append(line);
  }
  document.getElementById("my-tables").hidden = false;
}

function sitting() {
  const many = document.getElementById("seats"), place = document.getElementById("sitting"), set = main.dataset;
  const draw = () => {
    const before = Array.from(place.querySelectorAll("select"), (one) => one.value);
    place.textContent = "";
    const count = Math.max(Number(set.least), Math.min(Number(set.most), Number(many.value) || 1));
    for (let seat = 1; seat <= count; seat += 1) { // a row for each
      const row = document.createElement("p"), label = document.createElement("label"), select = document.createElement("select");
      label.textContent = set.seat.replace("#", seat);
      label.htmlFor = select.id = `seat-${seat}`;
      const add = (value, text) => { const option = document.createElement("option"); option.value = value; option.textContent = text; select.append(option); };
      add("person", set.person);
      if (seat > 1) add("here", set.here);
      for (const policy of set.policies.split(" ")) add(policy, set.bot.replace("#", policy));
      select.value = before[seat - 1] || (seat === 1 ? "person" : set.policies.split(" ")[0]);
      row.className = "field";
      row.append(label, select);
      place.append(row);
    }
  };
  many.addEventListener("input", draw);
  draw();
}

// What is ready-made stands ticked in the form; all else can still be chosen.
function preset() {
  const pick = () => {
    const one = form.querySelector("input[name=preset]:checked"), has = (one?.dataset.parts || "").split(" ");
    for (const box of form.querySelectorAll("input[name=modules], input[name=variants]")) {
      const inside = has.includes(box.value);
      if (box.disabled !== inside) box.checked = inside;
      box.disabled = inside;
    }
    if (one?.dataset.seats) { const many = document.getElementById("seats"); many.value = one.dataset.seats; many.dispatchEvent(new Event("input")); }
  };
  for (const one of form.querySelectorAll("input[name=preset]")) one.addEventListener("change", pick);
  if (form.querySelector("input[name=preset]:checked")?.value) pick(); // as the browser remembers it
}

function chosen(field) {
  return Array.from(form.querySelectorAll(`input[name="${field}"]:checked:enabled`), (one) => one.value).filter(Boolean);
}

function options() {
  const found = {};
  for (const one of form.querySelectorAll("[data-option]")) {
    const usual = one.type === "checkbox" ? one.defaultChecked : one.tagName === "SELECT" ? Array.from(one.options).find((o) => o.defaultSelected)?.value ?? one.options[0]?.value : one.defaultValue;
    const value = one.type === "checkbox" ? one.checked : one.value;
    if (value !== usual && value !== "") found[one.dataset.option] = one.type === "number" ? Number(value) : value;
  }
  for (const set of form.querySelectorAll("[data-several]")) {
    const boxes = Array.from(set.querySelectorAll("input"));
    if (boxes.some((box) => box.checked !== box.defaultChecked)) found[set.dataset.several] = boxes.filter((box) => box.checked).map((box) => box.value);
  }
  return found;
}

async function open(event) {
  event.preventDefault();
  const said = document.getElementById("said"), button = form.querySelector("button[type=submit]");
  const ready = chosen("preset")[0];
  const seats = Number(document.getElementById("seats").value);
  const content = { game: form.dataset.game, modules: chosen("modules"), variants: chosen("variants"), options: options(), lang: document.getElementById("lang")?.value || "en" };
  if (ready) content.preset = ready;
  content.seats = seats;
  content.sitting = Object.fromEntries(Array.from(document.querySelectorAll("#sitting select"), (one, at) => [String(at + 1), one.value]));
  const name = document.getElementById("name").value.trim();
  if (name) content.names = { 1: name };
  button.disabled = true;
  said.hidden = true;
  try {
    const answer = await fetch("/tables", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(content) });
    const opened = await answer.json();
    if (!answer.ok) throw new Error(opened.error);
    links(opened);
  } catch (fault) {
    said.textContent = fault.message;
    said.hidden = false;
  } finally {
    button.disabled = false;
  }
}

function links(opened) {
  const kept = tables();
  kept.unshift({ table: opened.table, place: opened.host, title: opened.title, when: Date.now() });
  localStorage.setItem("tables", JSON.stringify(kept.slice(0, 30)));
  const where = (place) => new URL(`/t/${opened.table}/${place}/#${opened.places[place]}`, location.href).href;
  const others = Object.keys(opened.places).filter((place) => place !== opened.host);
  if (others.every((place) => place === "watch")) { location.href = where(opened.host); return; }
  const list = document.getElementById("links");
  for (const place of others) {
    const line = document.createElement("li"), head = document.createElement("strong"), code = document.createElement("code"), copy = document.createElement("button");
    head.textContent = place === "watch" ? main.dataset.watch : main.dataset.link.replace("#", place);
    code.textContent = where(place);
    copy.type = "button";
    copy.textContent = main.dataset.copy;
    copy.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(code.textContent); } catch { getSelection().selectAllChildren(code); return; }
      copy.textContent = main.dataset.copied;
    });
    line.append(head, " ", copy, document.createElement("br"), code);
    list.append(line);
  }
  document.getElementById("play").href = where(opened.host);
  form.hidden = true;
  document.getElementById("opened").hidden = false;
  document.getElementById("opened").scrollIntoView();
}

mine();
if (form) { sitting(); preset(); form.addEventListener("submit", open); }
