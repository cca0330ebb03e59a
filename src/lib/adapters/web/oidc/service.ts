import type { SignedIn, Session } from '#lib/domain/sessions/ports.ts';

/** What the provider needs to know about a request, and what it leaves for the response. */
export interface ProviderRequest {
	readonly request: Request;
	/** The session of the browser, from the store. */
	readonly session: () => Promise<SignedIn | null>;
}

export interface ProviderAnswer {
	readonly response: Response;
	/** Set if the answer is an error that a person reads. */
	readonly refusal: {
		readonly status: number;
		readonly error: string;
		readonly detail: string;
	} | null;
	/** What failed behind a `server_error`. */
	readonly fault: unknown;
	/** Whether the application rightly asked to end the session of the browser. */
	readonly endsSession: boolean;
}

/** What the sign-in page needs to know about the application that a person comes from. */
export interface PendingSignIn {
	readonly application: string;
	readonly loginHint: string | null;
	/** The origin or scheme to which the browser returns in the end. */
	readonly returnsTo: string;
	/** Whether this session is enough. Otherwise the application asks for a new code. */
	isSatisfiedBy(session: Session): boolean;
}

/** The OpenID provider, as far as the rest of the server knows it. */
export interface OidcService {
	handle(request: ProviderRequest): Promise<ProviderAnswer>;
	/**
	 * Whether a client has authenticated itself with this request, or a valid access token has. The
	 * limits per client do not count it: an application's server has one address for all its people.
	 */
	isTrusted(path: string, headers: Headers, form: FormData | null): Promise<boolean>;
	/** Null unless the path resumes an authorization request that still waits. */
	pendingSignIn(path: string): Promise<PendingSignIn | null>;
	/** Makes the first keys, and tells applications about ended sessions from now on. */
	start(): void;
	/** Stops telling applications. */
	stop(): Promise<void>;
}
