import type { App as PosternApp } from '#lib/app.server.ts';
import type { OwnCookies } from '#lib/adapters/web/http/own-cookies.ts';
import type { OperatorUseCase } from '#lib/domain/operators/use-cases.ts';
import type { CountedUseCase } from '#lib/adapters/web/edge/limits/limits.ts';
import type { Credential } from '#lib/adapters/web/http/request-headers.ts';
import type { RequestTarget } from '#lib/adapters/web/edge/attach-app.ts';
import type { RouteRules } from '#lib/adapters/web/edge/rules.ts';
import type { AccountView } from '#lib/adapters/web/account/account-view.ts';
import type { ProofPuzzle } from '#lib/domain/proof/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import type { User } from '#lib/domain/user.ts';

declare global {
	namespace App {
		interface Error {
			code?: string;
			/**
			 * What the error page says instead of its usual text. `message` is its title, and its button
			 * tries again.
			 */
			advice?: string;
			/** Of a form that a limit refused: how long to wait, and the text of the form meanwhile. */
			wait?: FormWait;
		}
		/** Why a form cannot be sent yet, and for how long. */
		interface FormWait {
			/** Whole seconds. A duration instead of a time, because the visitor's clock may be wrong. */
			seconds: number;
			/** What the form says while the button counts the seconds. */
			reason: string;
			/** Whether the wait is for this email address only, so that another one can be sent at once. */
			endsOnEdit: boolean;
		}
		/** What must happen before a refused form can be sent again. */
		interface FormDemand {
			/** For the page's script to solve. Null if there is nothing to solve. */
			puzzle: ProofPuzzle | null;
			/** Null if the form can be sent now. */
			wait: FormWait | null;
		}
		namespace Superforms {
			/** The message of a form: a text for the person, or what the form needs. */
			type Message = string | FormDemand;
		}
		/** The data of the root layout, which every page has. An error page may lack it. */
		interface PageData {
			user?: AccountView['user'];
			session?: AccountView['session'];
			subscription?: AccountView['subscription'];
		}
		interface Locals {
			/**
			 * What every route may call. Routes get the other use-cases elsewhere: those that a limit must
			 * count from a `CountedEvent`, and those for operators from `requireOperator`.
			 */
			app: Omit<PosternApp, CountedUseCase | OperatorUseCase>;
			ownCookies: OwnCookies;
			/** Identifies this request in the log and in `x-request-id`. */
			requestId: string;
			/** What this request is for; use it in checks instead of `event.url` and `event.route`. */
			target: RequestTarget;
			rules: RouteRules;
			clientAddress: string;
			/** Null for unauthenticated requests, which only public routes receive. */
			user: User | null;
			session: Session | null;
			/** A query failed, so a null `user` does not mean that nobody is signed in. */
			isStoreDown: boolean;
			/** The operator who requests a page for operators. Null for all other requests. */
			operator: UserId | null;
			credential: Credential | null;
			/** Another site to which the forms of this page can lead, by redirects. */
			formRedirectOrigin: string | null;
		}
	}
}

export {};
