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
			/** Null for strangers, which only public routes see. */
			user: User | null;
			session: Session | null;
		}
	}
}

export {};
