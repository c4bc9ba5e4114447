import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

const extensionId = 'scorecard-tools.scorecard-explorer';

describe('The extension', () => {
  it('is installed under its id and activates', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not among the extensions of this window`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
