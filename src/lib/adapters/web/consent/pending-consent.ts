import { parseEmail } from '#lib/domain/email.ts';
import type { DomainNames, Signer } from '#lib/domain/ports.ts';
import type { CodeKey } from '#lib/domain/secret.ts';
import type { Clock } from '#lib/domain/time.ts';
import type { SignInPage } from '#lib/sign-in-layouts.ts';

/** Since the email form was posted. */
export const PENDING_CONSENT_LIFETIME_S = 15 * 60;

/** A consent that waits for the right code: until then, nobody has shown who ticked the box. */
export interface PendingConsent {
	/**
	 * `server`: the box was ticked, and the server grants the consent. `page`: only the script of the page
	 * knows whether it is ticked, and grants the consent with a call of its own.
	 */
	readonly tickHeldBy: 'server' | 'page';
	/** When the form was posted, in milliseconds. A page compares it with the one it stored. No secret. */
	readonly id: string;
}

interface PendingConsentsDeps {
	readonly signer: Signer;
	readonly clock: Clock;
	readonly domainNames: DomainNames;
}

/** The browser, email address and page that a pending consent is for. Others cannot use it. */
interface ConsentOwner {
	/** Identifies the browser. */
	readonly codeKey: CodeKey | null;
	/** As typed. Different spellings of one email address count as the same. */
	readonly email: string;
	readonly page: SignInPage;
}

/**
 * Writes and reads the cookie of a pending consent. It contains `tickHeldBy`, the id and a signature of
 * both and of the owner. So it contains no email address, and nobody can forge it or move it to
 * another browser.
 */
export const pendingConsents = ({ signer, clock, domainNames }: PendingConsentsDeps) => {
	const textOf = (tickHeldBy: string, id: string, { codeKey, email, page }: ConsentOwner) => {
		const parsed = parseEmail(email, domainNames);
		if (!parsed.ok || codeKey === null) return null;
		return `consent ${tickHeldBy} ${id} ${page} ${parsed.value} ${codeKey}`;
	};
	return {
		/** Returns null if this owner cannot have a pending consent. */
		issue: (tickHeldBy: PendingConsent['tickHeldBy'], owner: ConsentOwner): string | null => {
			const id = String(clock.now().getTime());
			const text = textOf(tickHeldBy, id, owner);
			return text && `${tickHeldBy}.${id}.${signer.sign(text)}`;
		},
		/** Returns null if the value is forged, expired, dated in the future or bound to another owner. */
		read: (value: string, owner: ConsentOwner): PendingConsent | null => {
			const [, tickHeldBy, id = '', signature = ''] = FORMAT.exec(value) ?? [];
			if (tickHeldBy !== 'server' && tickHeldBy !== 'page') return null;
			const age = clock.now().getTime() - Number(id);
			if (age < 0 || age >= PENDING_CONSENT_LIFETIME_S * 1000) return null;
			const text = textOf(tickHeldBy, id, owner);
			return text !== null && signer.verify(signature, text) ? { tickHeldBy, id } : null;
		}
	};
};

const FORMAT = /^(server|page)\.(\d{1,15})\.([\w-]+)$/;
