export const send = `import type { App } from '#lib/app.server.ts';
import type { User } from '#lib/domain/account/user.ts';
import { transport } from './transport.ts';

/** Sends an offer, unless the person has not agreed or the account is gone. */
export const sendOffer = async (app: App, user: User, text: string): Promise<void> => {
	const data = await app.accounts.dataOf(user.id);
	const link = await app.unsubscribe.url(user);
	const headers = await app.unsubscribe.headers(user);
	if (!data?.marketingOptIn || link === null || headers === null) return;
	await transport.sendMail({
		to: user.email,
		subject: 'An offer for you',
		text: \`\${text}\\n\\nStop these emails: \${link}\`,
		headers: { ...headers }
	});
};
`;

export const headers = `List-Unsubscribe: <https://auth.example.org/api/unsubscribe/Zk3vQ8xN…>
List-Unsubscribe-Post: List-Unsubscribe=One-Click
`;

export const people = `select u.id, u.email, u.name from "user" u
join user_data d on d.user_id = u.id
where d.marketing_opt_in and u.deleted_at is null;
`;
