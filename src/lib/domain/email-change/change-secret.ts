import type { User } from '../account/user.ts';
import type { AnyMail, RequestDetails } from '../delivery/mailer.ts';
import type { Email } from '../email.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Random } from '../random.ts';
import { newLinkToken, type LinkToken } from '../secret.ts';
import type { Device } from '../sessions/session.ts';
import type { CodeHasher } from '../sign-in/code-hasher.ts';
import { generateCode, type Code, type CodeShape } from '../sign-in/code.ts';
import type { Signer } from '../signer.ts';
import { changeLinkText } from './change-link.ts';

interface NewAddressMail extends AnyMail, RequestDetails {
	/**
	 * The account that requested the change. It lets the reader refuse to confirm another user's
	 * change.
	 */
	readonly account: Email;
	/** The lifetime of the code or link, in seconds. */
	readonly lifetime: number;
}

/** Sent to the new address. */
export type EmailChangeMail =
	| (NewAddressMail & { readonly kind: 'email_change_code'; readonly code: Code })
	| (NewAddressMail & {
			readonly kind: 'email_change_link';
			readonly token: LinkToken;
			/** Where to redirect the user after confirmation. It is checked again at that time. */
			readonly callbackUrl: string | null;
	  });

export interface ChangeSecretDeps {
	readonly random: Random;
	readonly codeHasher: CodeHasher;
	readonly codeShape: CodeShape;
	readonly linkSigner: Signer;
	readonly policy: AuthPolicy;
}

interface ChangeRequest {
	readonly user: Pick<User, 'id' | 'email'>;
	readonly way: 'code' | 'link';
	readonly callbackUrl: string | null;
	readonly device: Device;
}

export interface NewSecret {
	readonly secretHash: string;
	readonly mail: EmailChangeMail;
	readonly lifetime: number;
}

/** Creates the code or link of a change, its stored hash and its email. */
export const newSecretFor = async (
	deps: ChangeSecretDeps,
	{ user, way, callbackUrl, device }: ChangeRequest,
	to: Email,
	at: Date
): Promise<NewSecret> => {
	const { policy } = deps;
	const account = user.email;
	const details = { to, account, at, device };
	if (way === 'link') {
		const token = newLinkToken(deps.random);
		const change = { token, userId: user.id, from: account, to };
		const lifetime = policy.emailChange.linkLifetime;
		return {
			secretHash: deps.linkSigner.sign(changeLinkText(change)),
			mail: { kind: 'email_change_link', ...details, token, callbackUrl, lifetime },
			lifetime
		};
	}
	const code = generateCode(deps.random, deps.codeShape);
	const { lifetime } = policy.code;
	return {
		secretHash: await deps.codeHasher.hash({
			purpose: 'email_change',
			email: to,
			boundTo: user.id,
			from: account,
			code
		}),
		mail: { kind: 'email_change_code', ...details, code, lifetime },
		lifetime
	};
};
