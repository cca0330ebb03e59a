import { parseEmail } from '#lib/domain/email.ts';
import type { DomainNames, Signer } from '#lib/domain/ports.ts';
import type { CodeKey } from '#lib/domain/secret.ts';
import type { Clock } from '#lib/domain/time.ts';
import type { SignInPage } from '#lib/sign-in-layouts.ts';

/** Since the box was ticked. */
export const PENDING_CONSENT_LIFETIME_S = 15 * 60;

/** A consent that was ticked on a sign-in page. It is given after the correct code was entered. */
export interface PendingConsent {
	/**
	 * With JavaScript, the page keeps the tick and makes the call; the server only keeps the time.
	 */
	readonly grantedBy: 'server' | 'page';
	/** Identifies the consent to the page. It is not a secret. */
	readonly id: string;
}

interface PendingConsentsDeps {
	readonly signer: Signer;
	readonly clock: Clock;
	readonly domainNames: DomainNames;
}

/** What a pending consent is bound to. It is invalid for any other owner. */
interface ConsentOwner {
	readonly codeKey: CodeKey | null;
	/** As typed. Different spellings of one email address count as the same. */
	readonly email: string;
	readonly page: SignInPage;
}

/**
 * Pending consents, stored in a cookie as a time and a signature. The signature covers the time,
 * the email address, the sign-in page and the browser. So the cookie contains no email address, and
 * it cannot be forged or moved to another browser.
 */
export const pendingConsents = ({ signer, clock, domainNames }: PendingConsentsDeps) => {
	const textOf = (grantedBy: string, id: string, { codeKey, email, page }: ConsentOwner) => {
		const parsed = parseEmail(email, domainNames);
		if (!parsed.ok || codeKey === null) return null;
		return `consent ${grantedBy} ${id} ${page} ${parsed.value} ${codeKey}`;
	};
	return {
		/** Returns null if this owner cannot have a pending consent. */
		issue: (grantedBy: PendingConsent['grantedBy'], owner: ConsentOwner): string | null => {
			const id = String(clock.now().getTime());
			const text = textOf(grantedBy, id, owner);
			return text && `${grantedBy}.${id}.${signer.sign(text)}`;
		},
		/** Returns null if the value is forged, expired, dated in the future or bound to another owner. */
		read: (value: string, owner: ConsentOwner): PendingConsent | null => {
			const [, grantedBy, id = '', signature = ''] = FORMAT.exec(value) ?? [];
			if (grantedBy !== 'server' && grantedBy !== 'page') return null;
			const age = clock.now().getTime() - Number(id);
			if (age < 0 || age >= PENDING_CONSENT_LIFETIME_S * 1000) return null;
			const text = textOf(grantedBy, id, owner);
			return text !== null && signer.verify(signature, text) ? { grantedBy, id } : null;
		}
	};
};

const FORMAT = /^(server|page)\.(\d{1,15})\.([\w-]+)$/;
