import { X509Certificate } from 'node:crypto';
import type { FetchText } from './fetch-text.ts';

/** Amazon changes its certificates about once a year, and all servers of a region share one. */
const MOST = 8;

type Found = Promise<X509Certificate | null>;

/** Signing certificates by their URL. */
export interface Certificates {
	/** Null if it is not kept and another one is being fetched, or if fetching fails. */
	get(url: URL): Promise<X509Certificate | null>;
}

/**
 * Fetches each certificate once. Forged messages can name any number of certificates, so one is
 * fetched at a time, and a few are kept. Certificates that are kept are returned while another one
 * is being fetched.
 */
export const certificates = (fetchText: FetchText): Certificates => {
	const known = new Map<string, X509Certificate>();
	let fetching: { readonly href: string; readonly found: Found } | null = null;

	const fetchNow = async ({ href }: URL): Found => {
		try {
			const certificate = new X509Certificate(await fetchText(new URL(href)));
			known.set(href, certificate);
			for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
			return certificate;
		} catch {
			return null;
		} finally {
			fetching = null;
		}
	};

	return {
		get: async (url) => {
			const { href } = url;
			const kept = known.get(href);
			if (kept !== undefined) return kept;
			if (fetching !== null) return fetching.href === href ? fetching.found : null;
			fetching = { href, found: fetchNow(url) };
			return fetching.found;
		}
	};
};
