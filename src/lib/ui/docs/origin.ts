import { createContext } from 'svelte';

/** The address of this installation, for the examples of a guide: given by its page, asked for anywhere in it. */
export const [originHere, provideOrigin] = createContext<() => string>();
