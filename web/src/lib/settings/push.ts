/** Web push: notifications of this browser, also while no page is open. */

import type { PushTarget } from "../api/types";
import { requests } from "../lobby/requests";

export function pushPossible(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
}

function bytes(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function target(subscription: PushSubscription): PushTarget {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? "", keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" } };
}

/** The subscription of this browser, or null. */
export async function current(): Promise<PushTarget | null> {
  if (!pushPossible()) return null;
  const worker = await navigator.serviceWorker.getRegistration("/");
  const subscription = await worker?.pushManager.getSubscription();
  return subscription ? target(subscription) : null;
}

/** Asks for leave and subscribes; null if it was refused. */
export async function subscribe(): Promise<PushTarget | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { key } = await requests.pushKey();
  const worker = await navigator.serviceWorker.register("/push-worker.js");
  await navigator.serviceWorker.ready;
  return target(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }));
}

export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration("/");
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}
