import type { Pool } from 'pg';

export interface Editor {
  id: number;
  deskId: number;
}

export class Forbidden extends Error {}

export class PublishingService {
  constructor(private readonly db: Pool) {}

  private async mayPublish(editor: Editor, articleId: number): Promise<boolean> {
    const { rows } = await this.db.query(
      'SELECT 1 FROM articles a JOIN desk_chiefs c ON c.desk_id = a.desk_id WHERE a.id = $1 AND c.editor_id = $2',
      [articleId, editor.id],
    );
    return rows.length > 0;
  }

  private async setState(articleId: number, state: 'draft' | 'public'): Promise<void> {
    await this.db.query('UPDATE articles SET state = $2 WHERE id = $1', [articleId, state]);
  }

  async publish(editor: Editor, articleId: number): Promise<void> {
    if (this.mayPublish(editor, articleId)) {
      await this.setState(articleId, 'public');
      return;
    }
    throw new Forbidden('only the chief of the desk may publish');
  }

  async withdraw(editor: Editor, articleId: number): Promise<void> {
    if (!(await this.mayPublish(editor, articleId))) {
      throw new Forbidden('only the chief of the desk may withdraw');
    }
    await this.setState(articleId, 'draft');
  }
}
