import type { DemoService } from '../../src/demo/demoService';
import type { Theme, Workbench } from './workbench/workbench';

/** A picture of the README. */
export interface Scene {
  /** Name of the file in `media/readme`, without its ending. */
  readonly name: string;
  readonly theme: Theme;
  /** Size of the window. Default 1200 x 750. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Brings the window, in which the demo is signed in, to what is to be shown. */
  arrange(workbench: Workbench, demo: DemoService): Promise<void>;
}

/** All pictures; another one is another entry. */
export const scenes: readonly Scene[] = [
  { name: 'findings-dark', theme: 'Dark Modern', arrange: showFindings },
  { name: 'findings-light', theme: 'Light Modern', arrange: showFindings },
  { name: 'findings-high-contrast', theme: 'Dark High Contrast', arrange: showFindings },
];

async function showFindings(workbench: Workbench, demo: DemoService): Promise<void> {
  const name = demo.scorecards[0]?.name ?? '';
  await workbench.treeItem(new RegExp(name), workbench.sideBar).waitFor();
}
