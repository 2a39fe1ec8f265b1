using System.Linq;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.EntityFrameworkCore;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddDbContext<LibraryContext>();
var app = builder.Build();

app.MapGet("/books", async (string author, LibraryContext db) =>
{
    var books = await db.Books
        .FromSqlRaw("SELECT * FROM Books WHERE Author = '" + author + "'")
        .AsNoTracking()
        .ToListAsync();
    return books.Count == 0 ? Results.NotFound() : Results.Ok(books);
});

app.Run();

public class LibraryContext : DbContext
{
    public DbSet<Book> Books => Set<Book>();
}

public record Book(int Id, string Title, string Author);
