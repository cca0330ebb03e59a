/** For any Node server; other languages do the same two steps. A test runs it. */
export const verify = (origin: string): string => `import { createHash } from 'node:crypto';

const KEEP_MS = 30_000;
const known = new Map();

/** Who a request speaks for; null for nobody. Throws when it cannot be found out. */
export const currentUser = async (authorization, clientAddress) => {
	if (!authorization) return null;
	// The cache holds no credential that somebody could read out of it.
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
	// user.id never changes; keep what belongs to a person under it.
}
`;

export const proxies = 'AUTH_TRUSTED_PROXIES=203.0.113.20';
