/**
 * Opens the folded parts around the target of a link and scrolls to it. The browser itself does so
 * when it loads a page, but not when the framework changes pages.
 */
export const reveal = ({ hash }: URL): void => {
	const target = document.getElementById(hash.slice(1));
	const closed = folds(target).filter(({ open }) => !open);
	for (const fold of closed) fold.open = true;
	if (closed.length > 0) target?.scrollIntoView();
};

const folds = (inside: Element | null): readonly HTMLDetailsElement[] => {
	const fold = inside?.closest('details') ?? null;
	return fold === null ? [] : [fold, ...folds(fold.parentElement)];
};
