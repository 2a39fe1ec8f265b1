using Microsoft.EntityFrameworkCore;

namespace Nursery.Catalogue;

public class Plant
{
    public int Id { get; set; }
    public string LatinName { get; set; } = "";
    public decimal Price { get; set; }
}

public class CatalogueContext(DbContextOptions<CatalogueContext> options) : DbContext(options)
{
    public DbSet<Plant> Plants => Set<Plant>();
}

public class PlantRepository(CatalogueContext db)
{
    public Task<List<Plant>> SearchAsync(string latinName, CancellationToken stop)
    {
        var pattern = latinName.Trim() + "%";
        return db.Plants
            .FromSqlInterpolated($"SELECT * FROM Plants WHERE LatinName LIKE {pattern}")
            .OrderBy(plant => plant.LatinName)
            .Take(40)
            .ToListAsync(stop);
    }
}
