import { BROWSER_MAP, OS_MAP, parse } from 'bowser';
import { MAX_USER_AGENT } from '#lib/domain/client.ts';
import { messages, type Messages } from './messages/messages.ts';

type Words = Messages['device'];

/** Programs that are not browsers. The first match counts. */
const PROGRAMS: readonly (readonly [RegExp, string, isApp?: 'app'])[] = [
	[/^curl\//i, 'curl'],
	[/^wget\//i, 'Wget'],
	[/^httpie\//i, 'HTTPie'],
	[/^postmanruntime\//i, 'Postman'],
	[/^insomnia\//i, 'Insomnia'],
	[/powershell\//i, 'PowerShell'],
	[/^(?:node|undici|axios)(?:$|[-./ ])/i, 'Node.js'],
	[/^python(?:$|[-./ ])/i, 'Python'],
	[/^go-http-client\//i, 'Go'],
	[/^(?:java\/|java-http-client\/|apache-httpclient\/)/i, 'Java'],
	// The networking libraries of apps that do not show a browser.
	[/^okhttp\//i, 'OkHttp', 'app'],
	[/^dalvik\//i, 'Android', 'app'],
	[/^dart\//i, 'Dart', 'app'],
	[/\bcfnetwork\//i, 'CFNetwork', 'app']
];

const BETTER_NAMES: ReadonlyMap<string, string> = new Map([
	['Microsoft Edge', 'Edge'],
	['Samsung Internet for Android', 'Samsung Internet'],
	['Miui', 'Mi Browser']
]);
const BROWSERS: ReadonlySet<string> = new Set([
	...Object.values(BROWSER_MAP),
	...BETTER_NAMES.keys()
]);
const SYSTEMS: ReadonlySet<string> = new Set(Object.values(OS_MAP));
const APPLE_MODELS: ReadonlyMap<string, string> = new Map(
	['iPhone', 'iPad', 'iPod'].map((model) => [model.toLowerCase(), model])
);

/**
 * Describes a user agent, such as `Chrome on Windows`, for emails and the list of sessions. The
 * client chooses its user agent, so the result has only names from the tables above and from the
 * library, and none of its text.
 */
export const describeDevice = (userAgent: string, words: Words = messages.device): string => {
	const text = userAgent.slice(0, MAX_USER_AGENT).trim();
	if (text === '') return words.unknown;
	const [, program, isApp] = PROGRAMS.find(([pattern]) => pattern.test(text)) ?? [];
	if (program !== undefined) return isApp ? words.app(program) : program;
	const { browser: found, os, platform } = parse(text);
	const browser = browserName(found.name);
	const system =
		APPLE_MODELS.get(platform.model?.toLowerCase() ?? '') ??
		(SYSTEMS.has(os.name ?? '') ? os.name : undefined);
	if (system === undefined) return browser ?? words.unknown;
	// Avoids "Android Browser on Android".
	if (browser?.includes(system)) return browser;
	return words.on(browser ?? words.unknownProgram, system);
};

/** For an unknown browser, the library returns text of the user agent. That text is dropped. */
const browserName = (name = ''): string | undefined =>
	BROWSERS.has(name) ? (BETTER_NAMES.get(name) ?? name) : undefined;
