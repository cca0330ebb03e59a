import { messageName } from '#lib/domain/delivery/use-cases.ts';
import type { Email } from '#lib/domain/email.ts';
import type { MailId } from '#lib/domain/ids.ts';
import { newAddress, requestCode } from '../../support/web/sign-in.ts';
import type { Site } from '../../support/web/site.ts';
import type { Answer, Visitor } from '../../support/web/visitor.ts';

/** A code that a browser requested, and the email with it. */
export interface SentCode {
	readonly email: string;
	readonly visitor: Visitor;
	/** What stands before the `@` of its Message-ID. */
	readonly name: string;
	/** Whether the page of the code says that the email bounced. */
	isBounced(): Promise<boolean | undefined>;
}

export const sendCode = async (site: Site, email = newAddress()): Promise<SentCode> => {
	const visitor = site.visitor();
	await visitor.open('/auth/sign-in');
	await requestCode(visitor, email);
	const challenge = [...site.tables.challenges.values()].find((row) => row.email === email);
	const id = challenge?.id as string as MailId;
	return {
		email,
		visitor,
		name: messageName(site.messageSigner, id, email as Email),
		isBounced: async () => {
			const page = await visitor.open('/auth/sign-in');
			return (page.data['pendingCode'] as { bounced: boolean } | null)?.bounced;
		}
	};
};

/** A request of a provider: from elsewhere, without cookies and Origin. */
export const report = (
	site: Site,
	provider: string,
	body: string,
	headers: Readonly<Record<string, string>> = {}
): Promise<Answer> =>
	site.visitor().call(`/api/hooks/mail/${provider}`, {
		body,
		headers: { 'content-type': 'application/json', ...headers }
	});
