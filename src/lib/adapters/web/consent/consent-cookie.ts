import { parseEmail } from '#lib/domain/email.ts';
import type { Clock } from '#lib/domain/ports/clock.ts';
import type { DomainNames } from '#lib/domain/ports/domain-names.ts';
import type { Signer } from '#lib/domain/ports/signer.ts';
import type { BrowserKey } from '#lib/domain/secret.ts';
import type { Entry } from '#lib/view/sign-in.ts';

/** In seconds, from the tick. */
export const PENDING_CONSENT_LIFETIME = 15 * 60;

/** A consent that was ticked on an entry page and is given once the right code was entered. */
export interface PendingConsent {
	/** Where script runs, the page keeps the tick and makes the call; the server only knows since when. */
	readonly keptBy: 'server' | 'page';
	/** Names it to the page. It is no secret. */
	readonly id: string;
}

/** What a pending consent belongs to. For anything else it is worth nothing. */
export interface ConsentOwner {
	readonly browser: BrowserKey | null;
	/** As typed; spellings of one email address are one. */
	readonly email: string;
	readonly entry: Entry | null;
}

/**
 * Pending consents as a cookie keeps them: a time, and a signature over the time, the email address, the
 * entry page and the browser. So the cookie names no email address and cannot be made or moved.
 */
export interface PendingConsents {
	/** Null where nothing can be pending. */
	issue(keptBy: PendingConsent['keptBy'], owner: ConsentOwner): string | null;
	/** Null for a value that is not ours, expired, dated in the future, or of another owner. */
	read(value: string, owner: ConsentOwner): PendingConsent | null;
}

export interface PendingConsentsDeps {
	readonly signer: Signer;
	readonly clock: Clock;
	readonly domainNames: DomainNames;
}

export const pendingConsents = ({
	signer,
	clock,
	domainNames
}: PendingConsentsDeps): PendingConsents => {
	const textOf = (keptBy: string, id: string, { browser, email, entry }: ConsentOwner) => {
		const parsed = parseEmail(email, domainNames);
		if (!parsed.ok || browser === null || entry === null) return null;
		return `consent ${keptBy} ${id} ${entry} ${parsed.value} ${browser}`;
	};
	return {
		issue: (keptBy, owner) => {
			const id = String(clock.now().getTime());
			const text = textOf(keptBy, id, owner);
			return text && `${keptBy}.${id}.${signer.sign(text)}`;
		},
		read: (value, owner) => {
			const [, keptBy, id = '', signature = ''] = FORMAT.exec(value) ?? [];
			if (keptBy !== 'server' && keptBy !== 'page') return null;
			const age = clock.now().getTime() - Number(id);
			if (age < 0 || age >= PENDING_CONSENT_LIFETIME * 1000) return null;
			const text = textOf(keptBy, id, owner);
			return text !== null && signer.verify(signature, text) ? { keptBy, id } : null;
		}
	};
};

const FORMAT = /^(server|page)\.(\d{1,15})\.([\w-]+)$/;
