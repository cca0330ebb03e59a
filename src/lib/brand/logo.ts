import source from './logo.svg?raw';

/** The logo as markup for the plain error page. Decorative, because the site's name is beside it. */
export const logo: string = source.trim().replace('<svg', '<svg aria-hidden="true"');
