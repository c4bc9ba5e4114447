import type { Cleanup } from '../cleanup';
import type { HostServer } from '../server';
import type { Workbench } from '../workbench/workbench';

/** A picture of the README. */
export interface Scene {
  /** Name of the file in `media/readme`, without its ending. */
  readonly name: string;
  /** As the setting `workbench.colorTheme` names it. */
  readonly theme: 'Dark Modern' | 'Light Modern' | 'Default High Contrast';
  /** User settings of the window. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Size of the window. Default 1280 x 800. A picture full of text must be smaller, or its file is too large. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Brings a signed-out window into the state of the picture. */
  arrange(workbench: Workbench, stage: Stage): Promise<void>;
}

/** What a scene may use besides its window. */
export interface Stage {
  readonly server: HostServer;
  readonly cleanup: Cleanup;
}
