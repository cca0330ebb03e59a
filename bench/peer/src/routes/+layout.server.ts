import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = ({ locals: { user, session } }) => ({
	siteName: 'Peer',
	user: { id: user.id, email: user.email, name: user.name, image: user.image ?? null },
	session: { id: session.id, expiresAt: session.expiresAt }
});
