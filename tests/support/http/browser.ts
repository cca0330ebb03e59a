import type { OutgoingHttpHeaders } from 'node:http';
import { call, pairOf, type Answer, type Call, type Server } from './client.ts';

type Fields = Readonly<Record<string, string>>;

interface Form {
	/** Where it is posted, as a path from the root. */
	readonly action: string;
	/** Its inputs with their initial values. */
	readonly fields: Fields;
}

const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };

/** A browser without JavaScript: keeps cookies, opens pages, posts forms. */
export const openBrowser = (server: Server, origin = server.address) => {
	const jar = new Map<string, string>();
	let at = '/';
	let token: string | null = null;

	const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
	const send = async (path: string, options: Call): Promise<Answer> => {
		const cookie = cookies();
		const headers = { ...(cookie === '' ? {} : { cookie }), ...options.headers };
		const answer = await call(server, path, { ...options, headers });
		for (const line of answer.setCookies) {
			const [name, value] = pairOf(line);
			if (/;\s*max-age=0\b/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
			else jar.set(name, value);
		}
		token = tokenOf(answer.text) ?? token;
		return answer;
	};
	/** Posts fields as a form of our own page does, with the token of the last page that had one. */
	const post = async (
		path: string,
		fields: Fields,
		headers: OutgoingHttpHeaders = {}
	): Promise<Answer> => {
		// A form belongs to a page, so the page must have one.
		if (token === null) await send('/auth/sign-in', { headers: NAVIGATION });
		at = path;
		return send(path, {
			method: 'POST',
			body: new URLSearchParams({
				...(token === null ? {} : { csrf: token }),
				...fields
			}).toString(),
			headers: {
				...NAVIGATION,
				origin,
				'sec-fetch-site': 'same-origin',
				'content-type': 'application/x-www-form-urlencoded',
				...headers
			}
		});
	};
	return {
		open: (path: string) => {
			at = path;
			return send(path, { headers: { ...NAVIGATION, 'sec-fetch-site': 'same-origin' } });
		},
		post,
		/** Fills in and posts the form of a page whose action contains `action`. */
		submit: async (page: Answer, action: string, fields: Fields = {}) => {
			const form = formsOf(page.text, at).find((form) => form.action.includes(action));
			if (form === undefined) throw new Error(`no form for ${action} on ${at}`);
			return post(form.action, { ...form.fields, ...fields });
		},
		/** A script of our own page calls the API. */
		api: (path: string, options: Call) =>
			send(path, {
				...options,
				headers: { origin, 'sec-fetch-site': 'same-origin', ...options.headers }
			}),
		cookie: (name: string) => jar.get(name) ?? null,
		/** The Cookie header that it would send. */
		cookies,
		/** Stores a cookie that an attacker planted. */
		plant: (name: string, value: string) => void jar.set(name, value)
	};
};

export type Browser = ReturnType<typeof openBrowser>;

/** The hidden token in the forms of a page; null where there is none. */
export const tokenOf = (html: string): string | null =>
	/<input[^>]*\bname="csrf"[^>]*\bvalue="([^"]+)"/.exec(html)?.[1] ?? null;

const attribute = (tag: string, name: string): string | null => {
	const [, value] = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag) ?? [];
	return value === undefined ? null : unescapeHtml(value);
};

const ENTITIES: Readonly<Record<string, string>> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#39;': "'"
};
const unescapeHtml = (text: string): string =>
	text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

const isBox = (input: string): boolean => attribute(input, 'type') === 'checkbox';

/** The POST forms of a page, their actions resolved against where it was opened. */
export const formsOf = (html: string, at: string): readonly Form[] =>
	[...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)]
		.filter(([, tag = '']) => attribute(` ${tag}`, 'method')?.toUpperCase() === 'POST')
		.map(([, tag = '', inside = '']) => {
			const url = new URL(attribute(` ${tag}`, 'action') ?? '', new URL(at, 'http://page.test'));
			const inputs = [...inside.matchAll(/<input\b[^>]*>/gi)]
				// A box that is not ticked is not sent.
				.filter(([input]) => !isBox(input) || /\schecked\b/i.test(input))
				.map(([input]) => [
					attribute(input, 'name') ?? '',
					attribute(input, 'value') ?? (isBox(input) ? 'on' : '')
				]);
			return { action: url.pathname + url.search, fields: Object.fromEntries(inputs) };
		});

/** The text of a page, without tags. */
export const textOf = (html: string): string =>
	unescapeHtml(
		html
			.replace(/<script\b[\s\S]*?<\/script>/gi, '')
			.replace(/<!--[\s\S]*?-->/g, '')
			.replace(/<[^>]*>/g, ' ')
	).replace(/\s+/g, ' ');

const all = (html: string, pattern: RegExp): readonly string[] =>
	[...html.matchAll(pattern)].map(([, found = '']) => found);

/** The targets of a page’s links, as written. */
export const linksIn = (html: string): readonly string[] => all(html, /<a\b[^>]*\shref="([^"]*)"/g);

export const idsIn = (html: string): readonly string[] => all(html, /<[a-z][^>]*\sid="([^"]*)"/g);
