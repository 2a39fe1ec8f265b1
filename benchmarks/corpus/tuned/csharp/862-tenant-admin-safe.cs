using System.Security.Claims;
using Microsoft.AspNetCore.Authentication.JwtBearer;
using Microsoft.EntityFrameworkCore;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddDbContext<TenantDb>(o => o.UseNpgsql(builder.Configuration.GetConnectionString("Tenants")));
builder.Services.AddAuthentication(JwtBearerDefaults.AuthenticationScheme).AddJwtBearer();
builder.Services.AddAuthorization(o => o.AddPolicy("Operator", p => p.RequireRole("operator")));

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();

app.MapGet("/tenants", async (TenantDb db) =>
        await db.Tenants.Select(t => new { t.Id, t.Name }).ToListAsync())
    .RequireAuthorization("Operator");

app.MapPost("/tenants", async (NewTenant body, TenantDb db) =>
{
    var tenant = new Tenant { Name = body.Name };
    db.Tenants.Add(tenant);
    await db.SaveChangesAsync();
    return Results.Created($"/tenants/{tenant.Id}", new { tenant.Id });
}).RequireAuthorization("Operator");

app.MapDelete("/tenants/{id:int}", async (int id, TenantDb db) =>
{
    var removed = await db.Tenants.Where(t => t.Id == id).ExecuteDeleteAsync();
    return removed == 0 ? Results.NotFound() : Results.NoContent();
}).RequireAuthorization("Operator");

app.Run();

public record NewTenant(string Name);

public class Tenant
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
}

public class TenantDb(DbContextOptions<TenantDb> options) : DbContext(options)
{
    public DbSet<Tenant> Tenants => Set<Tenant>();
}
