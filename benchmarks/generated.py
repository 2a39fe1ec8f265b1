"""Code of any length in each language, with defects all over: a head once, a unit repeated.

What is in braces is replaced in a unit: `@N@` by its number.
"""

from __future__ import annotations

from typing import NamedTuple


class Template(NamedTuple):
    """`comment` begins a line that fills up the length; `tail` closes what the head opens."""

    head: str
    unit: str
    comment: str
    tail: str = ""


TEMPLATES: dict[str, Template] = {
    "python": Template(
        "import os\nimport pickle\nimport subprocess\n\nconnection = None\n",
        '''
def handle_@N@(request, seen=[]):
    """Answer a request of kind @N@."""
    token = request.headers.get("token")
    if token == None:
        raise ValueError("no token")
    query = "SELECT * FROM orders WHERE id = %s" % request.args["id"]
    result = []
    for row in connection.execute(query):
        if row.total > @N@ and row.open:
            result.append(row.total * 1.19)
        elif row.total > 10:
            seen.append(row)
    try:
        subprocess.call("notify " + request.args["user"], shell=True)
    except:
        pass
    return {"sum": sum(result), "count": len(seen)}

''',
        "#",
    ),
    "javascript": Template(
        'const express = require("express");\nconst { exec } = require("child_process");\n'
        'const db = require("./db");\nconst app = express();\n',
        """
app.get("/orders/@N@", async (req, res) => {
  const id = req.query.id;
  const rows = await db.query("SELECT * FROM orders WHERE id = " + id);
  let total = 0;
  for (const row of rows) {
    if (row.total > @N@ && row.open) {
      total += row.total * 1.19;
    } else if (row.total == "10") {
      total -= 1;
    }
  }
  exec(`notify ${req.query.user}`);
  res.send("<h1>" + req.query.title + "</h1>" + total);
});
""",
        "//",
    ),
    "typescript": Template(
        'import express, { Request, Response } from "express";\n'
        'import { exec } from "child_process";\nimport { db } from "./db";\n'
        "const app = express();\n",
        """
app.get("/orders/@N@", async (req: Request, res: Response): Promise<void> => {
  const id: string = String(req.query.id);
  const rows: Row[] = await db.query("SELECT * FROM orders WHERE id = " + id);
  let total: number = 0;
  for (const row of rows) {
    if (row.total > @N@ && row.open) {
      total += row.total * 1.19;
    }
  }
  exec(`notify ${req.query.user}`);
  res.send("<h1>" + req.query.title + "</h1>" + total);
});
""",
        "//",
    ),
    "java": Template(
        "import java.io.*;\nimport java.sql.*;\nimport javax.servlet.http.*;\n\n"
        "public class Orders extends HttpServlet {\n    private Connection connection;\n",
        """
    public void handle@N@(HttpServletRequest request, HttpServletResponse response)
            throws IOException, SQLException {
        String id = request.getParameter("id");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM orders WHERE id = '" + id + "'");
        int total = 0;
        while (rows.next()) {
            if (rows.getInt("total") > @N@) {
                total += rows.getInt("total");
            }
        }
        Runtime.getRuntime().exec("notify " + request.getParameter("user"));
        response.getWriter().println("<h1>" + request.getParameter("title") + total + "</h1>");
    }
""",
        "//",
        "}\n",
    ),
    "go": Template(
        'package main\n\nimport (\n\t"database/sql"\n\t"fmt"\n\t"net/http"\n\t"os/exec"\n)\n\n'
        "var db *sql.DB\n",
        """
func handle@N@(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	rows, err := db.Query("SELECT total FROM orders WHERE id = '" + id + "'")
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	total := 0
	for rows.Next() {
		var one int
		rows.Scan(&one)
		if one > @N@ {
			total += one
		}
	}
	exec.Command("sh", "-c", "notify "+r.FormValue("user")).Run()
	fmt.Fprintf(w, "<h1>%s</h1>%d", r.FormValue("title"), total)
}
""",
        "//",
    ),
    "php": Template(
        "<?php\n$db = new mysqli($host, $user, $password);\n",
        """
function handle@N@($db) {
    $id = $_GET['id'];
    $rows = $db->query("SELECT * FROM orders WHERE id = '$id'");
    $total = 0;
    foreach ($rows as $row) {
        if ($row['total'] > @N@ && $row['open']) {
            $total += $row['total'] * 1.19;
        } elseif ($row['total'] == '10') {
            $total -= 1;
        }
    }
    system("notify " . $_GET['user']);
    echo "<h1>" . $_GET['title'] . "</h1>" . $total;
}
""",
        "//",
    ),
    "ruby": Template(
        'require "sinatra"\nrequire "sqlite3"\n\nDB = SQLite3::Database.new("orders.db")\n',
        """
get "/orders/@N@" do
  id = params[:id]
  rows = DB.execute("SELECT * FROM orders WHERE id = '#{id}'")
  total = 0
  rows.each do |row|
    if row["total"] > @N@ && row["open"]
      total += row["total"]
    end
  end
  system("notify #{params[:user]}")
  "<h1>#{params[:title]}</h1>#{total}"
end
""",
        "#",
    ),
    "c": Template(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n",
        """
int handle_@N@(const char *name, int count) {
    char line[64];
    char command[128];
    char *copy = malloc(count * 16);
    int total = 0;
    strcpy(line, name);
    sprintf(command, "notify %s", name);
    for (int i = 0; i < count; i++) {
        if (line[i % 8] > @N@) {
            total += line[i % 8];
        }
    }
    system(command);
    printf(name);
    strcpy(copy, name);
    free(copy);
    return total;
}
""",
        "//",
    ),
    "cpp": Template(
        "#include <cstdlib>\n#include <cstring>\n#include <string>\n#include <vector>\n",
        """
int handle_@N@(const std::string &name, const std::vector<int> &totals) {
    char line[64];
    strcpy(line, name.c_str());
    int total = 0;
    for (size_t i = 0; i <= totals.size(); i++) {
        if (totals[i] > @N@) {
            total += totals[i];
        }
    }
    int *copy = new int[4];
    delete copy;
    std::system(("notify " + name).c_str());
    return total;
}
""",
        "//",
    ),
    "csharp": Template(
        "using System.Data.SqlClient;\nusing System.Diagnostics;\nusing Microsoft.AspNetCore.Mvc;\n\n"
        "public class OrdersController : Controller {\n    private SqlConnection connection;\n",
        """
    [HttpGet("orders/@N@")]
    public IActionResult Handle@N@(string id, string user, string title) {
        var command = new SqlCommand("SELECT total FROM orders WHERE id = '" + id + "'", connection);
        var rows = command.ExecuteReader();
        int total = 0;
        while (rows.Read()) {
            if (rows.GetInt32(0) > @N@) {
                total += rows.GetInt32(0);
            }
        }
        Process.Start("sh", "-c \\"notify " + user + "\\"");
        return Content("<h1>" + title + "</h1>" + total, "text/html");
    }
""",
        "//",
        "}\n",
    ),
    "rust": Template(
        "use std::process::Command;\nuse std::fs;\n",
        """
pub fn handle_@N@(connection: &Connection, id: &str, user: &str) -> Result<i64, Error> {
    let query = format!("SELECT total FROM orders WHERE id = '{}'", id);
    let mut total = 0;
    for row in connection.query(&query, &[])? {
        let one: i64 = row.get(0);
        if one > @N@ {
            total += one;
        }
    }
    Command::new("sh").arg("-c").arg(format!("notify {}", user)).status().unwrap();
    let text = fs::read_to_string(user).unwrap();
    println!("{}", text);
    Ok(total)
}
""",
        "//",
    ),
    "bash": Template(
        "#!/bin/bash\n",
        """
handle_@N@() {
    name=$1
    for file in $(ls /srv/orders); do
        if [ $file == $name ]; then
            cat $file | grep total > /tmp/orders_@N@
        fi
    done
    eval "notify $name"
    cd /srv/@N@
    rm -rf $name/*
}
""",
        "#",
    ),
    "sql": Template(
        "CREATE TABLE orders (id INT, total INT, customer VARCHAR(40));\n",
        """
SELECT * FROM orders o, customers c
WHERE o.total > @N@ AND c.name LIKE '%smith' AND o.customer = NULL;
DELETE FROM orders_@N@;
UPDATE orders SET total = total + @N@;
GRANT ALL ON orders TO PUBLIC;
""",
        "--",
    ),
}


def code_of(language: str, *, lines: int = 0, characters: int = 0) -> str:
    """Return code that parses and has many defects, of about the requested length and never longer
    than `characters`."""
    template = TEMPLATES[language]
    code, number = template.head, 0
    while code.count("\n") < lines or len(code) < characters:
        addition = template.unit.replace("@N@", str(number))
        if characters and len(code) + len(addition) + len(template.tail) > characters:
            space = characters - len(code) - len(template.tail) - len(template.comment) - 1
            filling = f"{template.comment}{'-' * space}\n" if space > 0 else ""
            return code + filling + template.tail
        code, number = code + addition, number + 1
    return code + template.tail
