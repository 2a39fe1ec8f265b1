use rusqlite::{params, Connection, Result, Row};

#[derive(Debug)]
pub struct Track {
    pub id: i64,
    pub title: String,
    pub seconds: u32,
}

pub struct Library {
    db: Connection,
}

fn to_track(row: &Row<'_>) -> Result<Track> {
    Ok(Track {
        id: row.get(0)?,
        title: row.get(1)?,
        seconds: row.get(2)?,
    })
}

impl Library {
    pub fn open(path: &str) -> Result<Self> {
        let db = Connection::open(path)?;
        db.execute_batch("PRAGMA foreign_keys = ON")?;
        Ok(Library { db })
    }

    pub fn by_artist(&self, artist: &str, limit: u32) -> Result<Vec<Track>> {
        let columns = "id, title, seconds";
        let sql = format!(
            "SELECT {columns} FROM tracks WHERE artist = ?2 ORDER BY title LIMIT ?1"
        );
        let mut statement = self.db.prepare(&sql)?;
        let rows = statement.query_map(params![limit, artist], to_track)?;
        rows.collect()
    }

    pub fn rename(&self, id: i64, title: &str) -> Result<usize> {
        self.db
            .execute("UPDATE tracks SET title = ?1 WHERE id = ?2", params![title, id])
    }
}
