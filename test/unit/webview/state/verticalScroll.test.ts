import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { maxSpacer, VerticalScroll } from '../../../../src/webview/state/verticalScroll';

const rowHeight = 22;

function scrolled(rows: number, height: number): VerticalScroll {
  const scroll = new VerticalScroll(rowHeight);
  scroll.resize(rows, height);
  return scroll;
}

describe('The vertical scroll', () => {
  it('The vertical scroll is as high as its rows, up to the maximum height of an element', () => {
    assert.equal(scrolled(1000, 600).spacer, 22_000);
    assert.equal(scrolled(1000, 600).scaled, false);
    assert.equal(scrolled(5_000_000, 600).spacer, maxSpacer);
    assert.equal(scrolled(5_000_000, 600).scaled, true);
  });

  it('The vertical scroll reaches both ends by the thumb, and every pixel in between', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 50_000_000 }),
        fc.integer({ min: 1, max: 4000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rows, height, share) => {
          const scroll = scrolled(rows, height);
          const range = Math.max(0, scroll.spacer - height);
          scroll.dragTo(range);
          assert.equal(scroll.top, scroll.maxTop);
          assert.equal(scroll.end, rows);
          scroll.dragTo(0);
          assert.equal(scroll.top, 0);
          scroll.top = share * scroll.maxTop;
          const { top } = scroll;
          assert.ok(scroll.thumb >= 0 && scroll.thumb <= range + 1e-6);
          assert.ok(scroll.first * rowHeight <= top);
          assert.ok(scroll.end * rowHeight >= Math.min(top + height, rows * rowHeight) - 1e-6);
        },
      ),
    );
  });

  it('The vertical scroll reveals a row with the least movement', () => {
    const scroll = scrolled(5_000_000, 220);
    scroll.reveal(9);
    assert.equal(scroll.top, 0);
    scroll.reveal(10);
    assert.equal(scroll.top, 22);
    scroll.reveal(4_999_999);
    assert.equal(scroll.top, scroll.maxTop);
    scroll.reveal(4_999_990);
    assert.equal(scroll.top, scroll.maxTop);
    scroll.reveal(0);
    assert.equal(scroll.top, 0);
  });

  it('The vertical scroll stays in bounds when rows are removed', () => {
    const scroll = scrolled(1000, 220);
    scroll.top = 20_000;
    scroll.resize(10, 220);
    assert.equal(scroll.top, 0);
    scroll.resize(0, 220);
    assert.deepEqual([scroll.first, scroll.end], [0, 0]);
  });
});
