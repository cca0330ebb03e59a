import { ensureBuild } from '../../../bin/fresh-build.ts';

/** Runs once before all workers: builds the operator commands that some tests run. */
export default (): void => ensureBuild((line) => console.log(line));
