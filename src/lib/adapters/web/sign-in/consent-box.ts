import type { RequestEvent } from '@sveltejs/kit';
import type { Profile } from '#lib/domain/account/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { SignInPage } from '#lib/sign-in-layouts.ts';

/** What a new account starts with, besides its name and picture. */
export type SignUpAnswers = Partial<Profile>;

/** An email form as it was posted. */
export interface PostedBox {
	readonly isTicked: boolean;
	/** Call after the code was sent. */
	readonly codeSent: () => void;
}

/** A code form as it was posted. */
export interface BoxAtCode {
	readonly answers: SignUpAnswers;
	/** Call after the person signed in. */
	readonly signedIn: (userId: UserId) => Promise<void>;
	/** The redirect target, with what the page needs to make its own call. */
	readonly locationFor: (target: string) => string;
}

/** The box of the entry pages that asks for a consent. The sign-in flow works without one. */
export interface ConsentBox {
	/** What a page shows for this email address. */
	readonly show: (
		event: RequestEvent,
		email: string,
		page: SignInPage
	) => {
		/** The text of the box. Null without one. */
		readonly consent: string | null;
		/** Id of the consent that may be pending for the email address. */
		readonly pendingConsent: string | null;
		readonly isTicked: boolean;
	};
	readonly posted: (
		event: RequestEvent,
		email: string,
		page: SignInPage,
		fields: FormData
	) => PostedBox;
	/** Another code is requested. A tick for another email address or page does not count for it. */
	readonly resent: (event: RequestEvent, email: string, page: SignInPage) => void;
	readonly atCode: (event: RequestEvent, email: string, page: SignInPage) => BoxAtCode;
	/** For a sign-in over the API, whose body can contain an answer. */
	readonly ofCall: (event: RequestEvent, body: object) => SignUpAnswers;
	/** Forgets a tick: the person signed in or out, or uses a page without the box. */
	readonly discard: (event: RequestEvent) => void;
}
