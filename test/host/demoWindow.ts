import type { DemoService } from '../../src/demo/demoService';

/** The demo's scorecards and collections as user settings. */
export function demoSettings(demo: DemoService): Record<string, unknown> {
  return { 'scorecard.scorecards': demo.scorecards, 'scorecard.collections': demo.collections };
}
