/* Shows notifications that the server sends while no page of ours is open. */
self.addEventListener("push", (event) => {
    let told = {};
    try {
        told = event.data ? event.data.json() : {};
    } catch {
        told = { body: event.data ? event.data.text() : "" };
    }
    const options = {
        body: told.body ?? "",
        icon: "/icon.svg",
        tag: told.tag ?? "sandtable",
        data: { url: told.url ?? "/" },
    };
    event.waitUntil(self.registration.showNotification(told.title ?? "Sandtable", options));
});

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const url = new URL(event.notification.data?.url ?? "/", self.location.origin);
    if (url.origin !== self.location.origin) return;
    event.waitUntil(
        self.clients.matchAll({ type: "window" }).then(async (pages) => {
            const page = pages[0];
            if (!page) return self.clients.openWindow(url.href);
            await page.focus();
            return page.navigate(url.href);
        }),
    );
});
