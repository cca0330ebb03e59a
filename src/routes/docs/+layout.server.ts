import type { LayoutServerLoad } from './$types';

/** Examples contain the URL of this installation, so that they can be copied unchanged. */
export const load: LayoutServerLoad = ({ locals }) => ({ origin: locals.app.config.origin });
