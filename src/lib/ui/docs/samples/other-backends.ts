/** For any Node server. Other languages need the same two steps. A test runs it. */
export const verify = (origin: string): string => `import { createHash } from 'node:crypto';

const KEEP_MS = 30_000;
const known = new Map();

/** Returns the user of a request, or null without a valid session. Throws if the call fails. */
export const currentUser = async (authorization, clientAddress) => {
	if (!authorization) return null;
	// A hash, so that the cache contains no credential.
	const key = createHash('sha256').update(authorization).digest('hex');
	const before = known.get(key);
	if (before && before.until > Date.now()) return before.user;

	const response = await fetch('${origin}/api/auth/get-session', {
		headers: { Authorization: authorization, 'X-Forwarded-For': clientAddress }
	});
	if (!response.ok) throw new Error(\`sign-in service: \${response.status}\`);
	const user = (await response.json())?.user ?? null;
	if (known.size > 10_000) known.clear();
	known.set(key, { user, until: Date.now() + KEEP_MS });
	return user;
};
`;

export const use = `const user = await currentUser(request.headers.authorization, request.socket.remoteAddress);
if (user === null) {
	response.writeHead(401).end();
} else {
	// user.id never changes. Use it as the key for the user's data.
}
`;

export const proxies = 'AUTH_TRUSTED_PROXIES=203.0.113.20';
