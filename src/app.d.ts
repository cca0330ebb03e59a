import type { App as PosternApp } from '#lib/app.server.ts';
import type { AuthCookies } from '#lib/adapters/web/cookies.ts';
import type { Session } from '#lib/domain/session.ts';
import type { User } from '#lib/domain/user.ts';

declare global {
	namespace App {
		interface Error {
			code?: string;
		}
		interface Locals {
			app: PosternApp;
			authCookies: AuthCookies;
			/** Names this request in the log and in `x-request-id`. */
			requestId: string;
			/** Whom limits and the log count this request for. */
			clientAddress: string;
			/** Null for strangers, which only public routes see. */
			user: User | null;
			session: Session | null;
		}
	}
}

export {};
