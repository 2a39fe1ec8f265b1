namespace Store.Data;

public class OrderRepository : BaseRepository
{
    public OrderRepository(AppDbContext context) : base(context)
    {
    }

    public int DeleteByCode(string code)
    {
        return DeleteWhere("Code = '" + code + "'");
    }
}
