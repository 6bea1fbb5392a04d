/** What playwright-core's `launch` takes. */
export interface Installed {
    executablePath: string;
    args: string[];
    env?: Record<string, string>;
}
export const ARGUMENTS: string[];
export const MISSING: string;
export function chromium(): Promise<Installed>;
