using Microsoft.EntityFrameworkCore;

namespace Store.Data;

public abstract class BaseRepository
{
    protected readonly AppDbContext Context;

    protected BaseRepository(AppDbContext context)
    {
        Context = context;
    }

    protected int DeleteWhere(string condition)
    {
        return Context.Database.ExecuteSqlRaw("DELETE FROM Orders WHERE " + condition);
    }
}
