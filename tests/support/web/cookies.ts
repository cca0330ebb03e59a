import type { Cookies } from '@sveltejs/kit';

type Options = NonNullable<Parameters<Cookies['set']>[2]>;

const DEFAULTS = { path: '/', httpOnly: true, sameSite: 'lax', secure: true } as const;

const SAME_SITE = { lax: 'Lax', strict: 'Strict', none: 'None' } as const;

/** The cookies of one request, as the framework keeps them, and the headers that set them. */
export const eventCookies = (header: string | null) => {
	const values = new Map(pairsIn(header ?? ''));
	const changed = new Map<string, { value: string; options: Options }>();
	const set = (name: string, value: string, options: Options = {}): void => {
		if (options.maxAge === 0) values.delete(name);
		else values.set(name, value);
		changed.set(name, { value, options: { ...DEFAULTS, ...options } });
	};
	const cookies: Pick<Cookies, 'get' | 'set' | 'delete'> = {
		get: (name) => values.get(name),
		set,
		delete: (name, options) => set(name, '', { ...options, maxAge: 0 })
	};
	return {
		cookies: cookies as Cookies,
		/** One `Set-Cookie` header for each cookie that was set or deleted. */
		headers: (): readonly string[] =>
			[...changed].map(([name, { value, options }]) => headerOf(name, value, options))
	};
};

const pairsIn = (header: string): [string, string][] =>
	[...header.matchAll(/([^;=\s][^;=]*)=([^;]*)/g)].map(([, name = '', value = '']) => [
		name,
		decodeURIComponent(value.trim())
	]);

const headerOf = (name: string, value: string, options: Options): string =>
	[
		`${name}=${encodeURIComponent(value)}`,
		...(options.maxAge === undefined ? [] : [`Max-Age=${options.maxAge}`]),
		...(options.domain === undefined ? [] : [`Domain=${options.domain}`]),
		`Path=${options.path ?? '/'}`,
		...(options.httpOnly === true ? ['HttpOnly'] : []),
		...(options.secure === true ? ['Secure'] : []),
		...(typeof options.sameSite === 'string' ? [`SameSite=${SAME_SITE[options.sameSite]}`] : [])
	].join('; ');
