/** What belongs to one answer only and is written into a kept page anew each time. */
export interface PerAnswer {
	/** Of the content security policy. */
	readonly nonce: string;
	readonly formToken: string;
	/** Path and query of the request, where a form without script leads back to. */
	readonly here: string;
}

/** A rendered page of which everything that belongs to one answer was taken out. */
export interface KeptPage {
	write(values: PerAnswer): { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Headers };
}

/** The rendered pages of one process, by what they depend on. */
export interface KeptPages {
	get(key: string): KeptPage | null;
	set(key: string, page: KeptPage): void;
}

/** Far more than there are pages and themes, at most 250 KB each; beyond it pages are not kept. */
const CAPACITY = 100;

export const keptPages = (): KeptPages => {
	const pages = new Map<string, KeptPage>();
	return {
		get: (key) => pages.get(key) ?? null,
		set: (key, page) => {
			if (pages.size < CAPACITY) pages.set(key, page);
		}
	};
};

const POLICY = 'content-security-policy';

/** These belong to one answer, or describe a body that is never given twice. */
const NOT_KEPT = ['set-cookie', 'etag', 'content-length'];

/**
 * Takes a page apart that was rendered for a caller without a session. Nonce and form token are random,
 * so they occur nowhere by chance. Null when one of the three is not found: then the page holds something
 * that is not understood here, and it is not kept.
 */
export const keepPage = (html: string, answered: Headers, here: string): KeptPage | null => {
	const policy = answered.get(POLICY) ?? '';
	const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
	const formToken = /name="csrf" value="([^"]+)"/.exec(html)?.[1];
	if (nonce === undefined || formToken === undefined || !html.includes(wayBack(here))) return null;

	const headers = new Headers(answered);
	for (const name of NOT_KEPT) headers.delete(name);
	const byWayBack = cutOut([html], wayBack(here), { of: 'here' });
	const byNonce = cutOut(byWayBack, nonce, { of: 'nonce' });
	const pieces = cutOut(byNonce, formToken, { of: 'formToken' }).map((piece) =>
		typeof piece === 'string' ? Buffer.from(piece) : piece
	);
	return {
		write: (values) => {
			const gaps = {
				nonce: Buffer.from(values.nonce),
				formToken: Buffer.from(values.formToken),
				here: Buffer.from(wayBack(values.here))
			};
			const ownHeaders = new Headers(headers);
			ownHeaders.set(
				POLICY,
				policy.replaceAll(nonce, () => values.nonce)
			);
			const parts = pieces.map((piece) => ('of' in piece ? gaps[piece.of] : piece));
			return { body: Buffer.concat(parts), headers: ownHeaders };
		}
	};
};

/** A place in a kept page that each answer fills. */
interface Gap {
	readonly of: keyof PerAnswer;
}

const cutOut = (pieces: readonly (string | Gap)[], text: string, gap: Gap): (string | Gap)[] =>
	pieces.flatMap((piece) =>
		typeof piece !== 'string'
			? [piece]
			: piece.split(text).flatMap((part, index) => (index === 0 ? [part] : [gap, part]))
	);

/** The one place where a page repeats its own address: the theme switch leads back to it. */
const wayBack = (here: string): string =>
	`name="from" value="${here.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`;
