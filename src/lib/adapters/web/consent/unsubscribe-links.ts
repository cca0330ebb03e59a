import type { UseCases } from '#lib/domain/use-cases.ts';
import type { User } from '#lib/domain/user.ts';

/** Unsubscribe links for the emails of the application. All are null when the account is gone. */
export interface UnsubscribeLinks {
	/** For the text of an email: opens a page that asks for one press. */
	url(user: Pick<User, 'id'>): Promise<string | null>;
	/** For the headers of an email: email apps then show an unsubscribe button (RFC 8058). */
	headers(user: Pick<User, 'id'>): Promise<UnsubscribeHeaders | null>;
}

export interface UnsubscribeHeaders {
	readonly 'List-Unsubscribe': string;
	readonly 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click';
}

/** The links of the site at `origin`. */
export const unsubscribeLinks = ({
	origin,
	useCases: { issueUnsubscribeToken }
}: {
	readonly origin: string;
	readonly useCases: Pick<UseCases, 'issueUnsubscribeToken'>;
}): UnsubscribeLinks => ({
	url: async (user) => {
		const token = await issueUnsubscribeToken(user);
		return token && `${origin}/unsubscribe/${token}`;
	},
	headers: async (user) => {
		const token = await issueUnsubscribeToken(user);
		return (
			token && {
				'List-Unsubscribe': `<${origin}/api/unsubscribe/${token}>`,
				'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'
			}
		);
	}
});
