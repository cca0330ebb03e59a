export const API = '/api/auth';
export const SEND = `${API}/email-otp/send-verification-otp`;
export const VERIFY = `${API}/sign-in/email-otp`;
export const ME = `${API}/get-session`;

export const SESSION = 'postern_session';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

let clients = 0;

/**
 * Every call comes from a client of its own, so that no limit per client affects an unrelated test.
 * A /24 is used again only after 65,536 calls, so neither does a limit per network.
 */
export const nextClient = (): string => {
	clients += 1;
	return `10.${clients & 255}.${(clients >> 8) & 255}.${(clients >> 16) & 255}`;
};

let addresses = 0;

/** An email address that no other test of this file uses. */
export const newAddress = (name = 'ada'): string => {
	addresses += 1;
	return `${name}-${addresses}@example.com`;
};
