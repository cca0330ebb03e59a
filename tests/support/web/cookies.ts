import type { Cookies } from '@sveltejs/kit';

type Options = NonNullable<Parameters<Cookies['set']>[2]>;

interface SetCookie {
	readonly value: string;
	readonly options: Options;
}

/** The cookies of one request, as the framework keeps them, and the headers that set them. */
export interface EventCookies {
	readonly cookies: Cookies;
	/** One `Set-Cookie` header for each cookie that was set or deleted. */
	headers(): readonly string[];
}

const DEFAULTS = { path: '/', httpOnly: true, sameSite: 'lax', secure: true } as const;

const SAME_SITE = { lax: 'Lax', strict: 'Strict', none: 'None' } as const;

export const eventCookies = (header: string | null): EventCookies => {
	const received = new Map(pairsIn(header ?? ''));
	const changed = new Map<string, SetCookie>();
	const all = (): [string, string][] => {
		const now = new Map(received);
		for (const [name, { value, options }] of changed) {
			if (options.maxAge === 0) now.delete(name);
			else now.set(name, value);
		}
		return [...now];
	};
	const set: Cookies['set'] = (name, value, options = {}) =>
		void changed.set(name, { value, options: { ...DEFAULTS, ...options } });
	return {
		cookies: {
			get: (name) => new Map(all()).get(name),
			getAll: () => all().map(([name, value]) => ({ name, value })),
			set,
			delete: (name, options) => set(name, '', { ...options, maxAge: 0 }),
			serialize: (name, value, options = {}) =>
				headerOf(name, { value, options: { ...DEFAULTS, ...options } }),
			parse: () => {
				throw new Error('no page of ours parses a Set-Cookie header');
			}
		},
		headers: () => [...changed].map(([name, cookie]) => headerOf(name, cookie))
	};
};

const pairsIn = (header: string): [string, string][] =>
	header
		.split(';')
		.map((pair) => pair.trim())
		.filter((pair) => pair.includes('='))
		.map((pair) => {
			const at = pair.indexOf('=');
			return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
		});

const headerOf = (name: string, { value, options }: SetCookie): string =>
	[
		`${name}=${encodeURIComponent(value)}`,
		...(options.maxAge === undefined ? [] : [`Max-Age=${options.maxAge}`]),
		...(options.domain === undefined ? [] : [`Domain=${options.domain}`]),
		`Path=${options.path ?? '/'}`,
		...(options.httpOnly === true ? ['HttpOnly'] : []),
		...(options.secure === true ? ['Secure'] : []),
		...(typeof options.sameSite === 'string' ? [`SameSite=${SAME_SITE[options.sameSite]}`] : [])
	].join('; ');
