import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { begin } from "./lib/session.svelte";
import "./lib/settings/preferences.svelte";
import { applyTheme } from "./lib/theme.svelte";

applyTheme();
// Written out, so that no other build has anything of it.
if (import.meta.env.MODE === "offline") (await import("./offline/start.svelte")).start();
void begin();
const target = document.getElementById("app");
if (target) mount(App, { target });
