import type { Handle } from '@sveltejs/kit/hooks';
import type { Clock } from '#lib/domain/time.ts';
import { respondTo } from './framework.ts';

/** A response as a test compares it. */
export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly location: string | null;
	readonly text: string;
	/** The body as JSON. Throws if it is none. */
	json(): unknown;
	/** The data of a page. Fails if no page was rendered. */
	readonly data: Readonly<Record<string, unknown>>;
	/** What a form action returned to the page. Null if it returned nothing. */
	readonly form: unknown;
	readonly setCookies: readonly string[];
}

export interface ApiCall {
	readonly method?: string;
	/** Sent as `application/json` by POST. */
	readonly json?: unknown;
	readonly body?: string;
	readonly headers?: Named;
}

/** A cookie that a browser keeps. */
interface Kept {
	readonly value: string;
	readonly expiresAt: number;
}

type Named = Readonly<Record<string, string>>;

const FORM = 'application/x-www-form-urlencoded';
const PREFIX = '__Host-';

/** A client with a browser, which starts with the cookies of `like`. */
export const openVisitor = (
	handle: Handle,
	origin: string,
	clock: Clock,
	clientAddress: string,
	like?: { readonly cookies: ReadonlyMap<string, Kept> }
) => {
	const cookies = new Map(like?.cookies);
	let csrf = '';

	const cookieHeader = (): string =>
		[...cookies]
			.filter(([, { expiresAt }]) => expiresAt > clock.now().getTime())
			.map(([name, { value }]) => `${name}=${value}`)
			.join('; ');

	const keep = (line: string): void => {
		const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
		const age = Number(/;\s*max-age=(\d+)/i.exec(line)?.[1] ?? Infinity);
		if (age === 0) cookies.delete(name);
		else cookies.set(name, { value, expiresAt: clock.now().getTime() + age * 1000 });
	};

	const send = async (path: string, init: RequestInit, inBrowser: boolean): Promise<Answer> => {
		const headers = new Headers(init.headers);
		if (inBrowser && cookieHeader() !== '') headers.set('cookie', cookieHeader());
		const request = new Request(new URL(path, origin), { ...init, headers });
		const { response, rendered } = await respondTo(handle, request, clientAddress);
		const setCookies = response.headers.getSetCookie();
		if (inBrowser) setCookies.forEach(keep);
		const token = rendered?.data?.['formToken'];
		if (typeof token === 'string') csrf = token;
		const text = await response.text();
		return {
			status: response.status,
			headers: response.headers,
			location: response.headers.get('location'),
			text,
			json: () => JSON.parse(text) as unknown,
			get data() {
				if (!rendered?.data) throw new Error(`no page: ${response.status} ${text}`);
				return rendered.data;
			},
			form: rendered?.form ?? null,
			setCookies
		};
	};

	const api = (
		path: string,
		{ method, json, body, headers = {} }: ApiCall,
		own: Named
	): Promise<Answer> => {
		const text = json === undefined ? body : JSON.stringify(json);
		const isPage = own['origin'] !== undefined;
		return send(
			path,
			{
				method: method ?? (text === undefined ? 'GET' : 'POST'),
				...(text !== undefined && { body: text }),
				headers: {
					accept: 'application/json',
					...(json !== undefined && { 'content-type': 'application/json' }),
					...own,
					...headers
				}
			},
			isPage
		);
	};

	return {
		/** Opens a page in the browser. */
		open: (path: string, headers: Named = {}) =>
			send(path, { headers: { accept: 'text/html', ...headers } }, true),
		/** Posts a form of a page, with the token of the last page that was opened. */
		post: async (path: string, fields: Named = {}, headers: Named = {}): Promise<Answer> => {
			// A form belongs to a page, so the browser has opened one.
			if (csrf === '') await send('/', { headers: { accept: 'text/html' } }, true);
			const body = new URLSearchParams({ csrf, ...fields }).toString();
			const own = {
				accept: 'text/html',
				origin,
				'sec-fetch-site': 'same-origin',
				'content-type': FORM
			};
			return send(path, { method: 'POST', body, headers: { ...own, ...headers } }, true);
		},
		/** Calls the API from a page of the site, with cookies and Origin. */
		api: (path: string, call: ApiCall = {}) =>
			api(path, call, { origin, 'sec-fetch-site': 'same-origin' }),
		/** Calls the API as an app does: without cookies and Origin. */
		call: (path: string, call: ApiCall = {}) => api(path, call, {}),
		/** The value of a cookie, without its `__Host-` prefix. Null if the browser has none. */
		cookie: (name: string): string | null => cookies.get(PREFIX + name)?.value ?? null,
		setCookie: (name: string, value: string | null): void => {
			if (value === null) cookies.delete(PREFIX + name);
			else cookies.set(PREFIX + name, { value, expiresAt: Infinity });
		},
		cookies: cookies as ReadonlyMap<string, Kept>
	};
};

export type Visitor = ReturnType<typeof openVisitor>;
